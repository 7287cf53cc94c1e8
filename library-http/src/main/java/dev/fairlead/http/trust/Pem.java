package dev.fairlead.http.trust;

import dev.fairlead.application.config.Secret;
import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads certificates and keys in PEM. No exception shows anything of a key. */
public final class Pem {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]+)-----END \\1-----");

    private Pem() {}

    public static List<X509Certificate> certificates(String text) throws GeneralSecurityException {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        List<X509Certificate> certificates = new ArrayList<>();
        Matcher blocks = BLOCK.matcher(text);
        while (blocks.find()) {
            if (blocks.group(1).equals("CERTIFICATE")) {
                certificates.add(
                        (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(bytes(blocks))));
            }
        }
        if (certificates.isEmpty()) {
            throw new CertificateException("holds no certificate");
        }
        return certificates;
    }

    /** Returns the first private key, in PKCS#8 or in the older forms that clusters' tools write. */
    public static PrivateKey key(Secret text) throws GeneralSecurityException {
        Matcher blocks = BLOCK.matcher(text.reveal());
        while (blocks.find()) {
            byte[] bytes = bytes(blocks);
            switch (blocks.group(1)) {
                case "PRIVATE KEY" -> {
                    return anyOf(bytes);
                }
                case "RSA PRIVATE KEY" -> {
                    return KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(Der.rsa(bytes)));
                }
                case "EC PRIVATE KEY" -> {
                    return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(Der.ec(bytes)));
                }
                default -> {
                    // The text may hold parameters and certificates too.
                }
            }
        }
        throw new InvalidKeySpecException("holds no private key that is not encrypted");
    }

    private static byte[] bytes(Matcher block) {
        return Base64.getMimeDecoder().decode(block.group(2));
    }

    private static PrivateKey anyOf(byte[] pkcs8) throws GeneralSecurityException {
        for (String algorithm : List.of("RSA", "EC", "EdDSA")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            } catch (InvalidKeySpecException _) {
                // Try the next algorithm.
            }
        }
        throw new InvalidKeySpecException("holds a key of an unknown algorithm");
    }
}
