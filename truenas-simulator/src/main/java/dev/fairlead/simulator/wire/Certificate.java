package dev.fairlead.simulator.wire;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;

/**
 * Makes a certificate that signs itself, once for a folder: for localhost, and good for pinning and as an authority.
 */
public final class Certificate {
    static final String PASSWORD = "simulator";

    private static final byte[] ECDSA_WITH_SHA256 = {0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 4, 3, 2};
    private static final byte[] COMMON_NAME = {0x55, 4, 3};
    private static final byte[] ALTERNATIVE_NAMES = {0x55, 0x1d, 0x11};
    private static final byte[] BASIC_CONSTRAINTS = {0x55, 0x1d, 0x13};
    private static final int SEQUENCE = 0x30;

    private Certificate() {}

    /** Returns the folder's key store, which it makes when there is none, and its certificate as PEM beside it. */
    public static KeyStore of(Path folder) {
        Path file = folder.resolve("tls.p12");
        try {
            if (Files.exists(file)) return load(file);
            Files.createDirectories(folder);
            KeyStore made = make(folder.resolve("tls.pem"));
            Path beside = folder.resolve("tls.p12.new");
            try (OutputStream out = Files.newOutputStream(beside)) {
                made.store(out, PASSWORD.toCharArray());
            }
            Files.move(beside, file);
            return made;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("No certificate in " + folder, e);
        }
    }

    private static KeyStore load(Path file) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }

    private static KeyStore make(Path pem) throws IOException, GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair pair = generator.generateKeyPair();
        byte[] encoded = signed(pair);
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, PASSWORD.toCharArray());
        java.security.cert.Certificate certificate = java.security.cert.CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(encoded));
        store.setKeyEntry(
                "tls", pair.getPrivate(), PASSWORD.toCharArray(), new java.security.cert.Certificate[] {certificate});
        Files.writeString(
                pem,
                "-----BEGIN CERTIFICATE-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded)
                        + "\n-----END CERTIFICATE-----\n");
        return store;
    }

    private static byte[] signed(KeyPair pair) throws GeneralSecurityException {
        byte[] algorithm = der(SEQUENCE, der(6, ECDSA_WITH_SHA256));
        byte[] name = der(
                SEQUENCE,
                der(0x31, der(SEQUENCE, der(6, COMMON_NAME), der(0x0c, "localhost".getBytes(StandardCharsets.UTF_8)))));
        byte[] validity = der(SEQUENCE, time("20240101000000Z"), time("20991231235959Z"));
        byte[] body = der(
                SEQUENCE,
                der(0xa0, der(2, new byte[] {2})),
                der(2, BigInteger.valueOf(System.nanoTime()).abs().toByteArray()),
                algorithm,
                name,
                validity,
                name,
                pair.getPublic().getEncoded(),
                der(0xa3, der(SEQUENCE, constraints(), alternatives())));
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(pair.getPrivate());
        signature.update(body);
        byte[] bits = signature.sign();
        return der(SEQUENCE, body, algorithm, der(3, new byte[] {0}, bits));
    }

    private static byte[] constraints() {
        byte[] authority = der(SEQUENCE, der(1, new byte[] {(byte) 0xff}));
        return der(SEQUENCE, der(6, BASIC_CONSTRAINTS), der(1, new byte[] {(byte) 0xff}), der(4, authority));
    }

    private static byte[] alternatives() {
        byte[] ipv6 = new byte[16];
        ipv6[15] = 1;
        byte[] names = der(
                SEQUENCE,
                der(0x82, "localhost".getBytes(StandardCharsets.UTF_8)),
                der(0x87, new byte[] {127, 0, 0, 1}),
                der(0x87, ipv6));
        return der(SEQUENCE, der(6, ALTERNATIVE_NAMES), der(4, names));
    }

    private static byte[] time(String text) {
        return der(0x18, text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] der(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) content.writeBytes(part);
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.write(tag);
        int length = content.size();
        if (length >= 256) {
            whole.write(0x82);
            whole.write(length >> 8);
        } else if (length >= 128) whole.write(0x81);
        whole.write(length & 0xff);
        whole.writeBytes(content.toByteArray());
        return whole.toByteArray();
    }
}
