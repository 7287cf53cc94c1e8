package dev.fairlead.bootstrap.trust;

import dev.fairlead.application.config.InvalidConfigException;
import dev.fairlead.application.config.Problem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds the operator's certificate authorities to Java's: every TLS client in this process trusts both, since all of
 * them read the one key store that a property names. To be called before the first of them is used.
 */
public final class ExtraRoots {
    /** The variable that democratic-csi's manifests set, to a file that may be empty. */
    public static final String VARIABLE = "NODE_EXTRA_CA_CERTS";

    private static final Logger log = LoggerFactory.getLogger(ExtraRoots.class);

    /** Certificates are no secret; the format wants a password, and Java's own file has this one. */
    private static final String PASSWORD = "changeit";

    private static final String TYPE = "PKCS12";

    private ExtraRoots() {}

    /**
     * Trusts the authorities of the file that the environment names; changes nothing without a file or with an empty
     * one.
     *
     * @throws InvalidConfigException if the file holds something else, or cannot be used
     */
    public static void use(Map<String, String> environment) {
        String name = environment.getOrDefault(VARIABLE, "");
        if (name.isEmpty()) {
            return;
        }
        Path file = Path.of(name);
        try {
            byte[] pem = Files.readAllBytes(file);
            if (new String(pem, StandardCharsets.US_ASCII).isBlank()) {
                return;
            }
            Collection<? extends Certificate> extra =
                    CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem));
            if (extra.isEmpty()) {
                throw new CertificateException("no certificate");
            }
            believe(extra);
            log.atInfo()
                    .addKeyValue("file", name)
                    .addKeyValue("certificates", extra.size())
                    .log("further certificate authorities are believed");
        } catch (CertificateException e) {
            throw problem(name, "is no PEM file of certificates: " + e.getMessage());
        } catch (IOException | GeneralSecurityException e) {
            throw problem(name, "cannot be used: " + e);
        }
    }

    private static void believe(Collection<? extends Certificate> extra) throws IOException, GeneralSecurityException {
        List<Certificate> all = new ArrayList<>(usual());
        all.addAll(extra);
        KeyStore store = KeyStore.getInstance(TYPE);
        store.load(null, null);
        for (int i = 0; i < all.size(); i++) {
            store.setCertificateEntry("root-" + i, all.get(i));
        }
        Path kept = Files.createTempFile("fairlead-roots", ".p12");
        kept.toFile().deleteOnExit();
        try (OutputStream out = Files.newOutputStream(kept)) {
            store.store(out, PASSWORD.toCharArray());
        }
        System.setProperty("javax.net.ssl.trustStore", kept.toString());
        System.setProperty("javax.net.ssl.trustStoreType", TYPE);
        System.setProperty("javax.net.ssl.trustStorePassword", PASSWORD);
    }

    private static List<X509Certificate> usual() throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init((KeyStore) null);
        return Arrays.stream(factory.getTrustManagers())
                .filter(X509TrustManager.class::isInstance)
                .flatMap(manager -> Arrays.stream(((X509TrustManager) manager).getAcceptedIssuers()))
                .toList();
    }

    private static InvalidConfigException problem(String file, String what) {
        return new InvalidConfigException(List.of(new Problem(
                Problem.Severity.ERROR,
                file,
                0,
                VARIABLE,
                what,
                "name a file of -----BEGIN CERTIFICATE----- blocks, or nothing")));
    }
}
