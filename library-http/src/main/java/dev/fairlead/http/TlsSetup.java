package dev.fairlead.http;

import dev.fairlead.application.config.Secret;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.HttpFailures.Part;
import dev.fairlead.http.trust.CertificatePin;
import dev.fairlead.http.trust.ClientCertificate;
import dev.fairlead.http.trust.Everybody;
import dev.fairlead.http.trust.Material;
import dev.fairlead.http.trust.Pem;
import dev.fairlead.http.trust.Pinned;
import dev.fairlead.http.trust.Trust;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** Holds whom this process trusts, and the certificate by which it shows who it is. */
record TlsSetup(SSLSocketFactory sockets, X509TrustManager trusted, boolean anyName) {
    private static final char[] NO_PASSWORD = new char[0];

    /** @throws StorageException {@link HttpFailures#unusable} if a certificate or a key cannot be read */
    static TlsSetup of(HttpSettings settings, HttpFailures failures) {
        Part part = Part.ROOTS;
        try {
            X509TrustManager trusted = trusted(settings.trust());
            part = Part.CLIENT_CERTIFICATE;
            KeyManager[] keys = keys(settings.certificate());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys, new TrustManager[] {trusted}, new SecureRandom());
            return new TlsSetup(context.getSocketFactory(), trusted, isAnyName(settings.trust()));
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            String detail = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            throw new StorageException(failures.unusable(part, detail), e);
        }
    }

    /**
     * Says whether the name in a certificate is not checked: a pinned one proves who has its key, whatever its name.
     */
    private static boolean isAnyName(Trust trust) {
        return trust instanceof Trust.Anything || trust instanceof Trust.Pins;
    }

    private static Secret read(Material material) throws IOException {
        try {
            return material.read();
        } catch (IOException e) {
            String place = material instanceof Material.InFile(Path path) ? path.toString() : "the configuration";
            throw new IOException(e.getClass().getSimpleName() + ", " + place, e);
        }
    }

    private static X509TrustManager trusted(Trust trust) throws IOException, GeneralSecurityException {
        return switch (trust) {
            case Trust.Anything() -> new Everybody();
            case Trust.Pins(Set<CertificatePin> pins) -> new Pinned(pins);
            case Trust.SystemRoots() -> byRoots(Optional.empty());
            case Trust.Roots(Material pem) ->
                byRoots(Optional.of(Pem.certificates(read(pem).reveal())));
        };
    }

    private static X509TrustManager byRoots(Optional<List<X509Certificate>> roots)
            throws IOException, GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        if (roots.isPresent()) {
            KeyStore store = empty();
            for (X509Certificate root : roots.get()) {
                store.setCertificateEntry("root-" + store.size(), root);
            }
            factory.init(store);
        } else {
            factory.init((KeyStore) null);
        }
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509TrustManager trusted) {
                return trusted;
            }
        }
        throw new GeneralSecurityException("this Java has no trust manager for certificates");
    }

    private static KeyManager[] keys(Optional<ClientCertificate> certificate)
            throws IOException, GeneralSecurityException {
        if (certificate.isEmpty()) {
            return new KeyManager[0];
        }
        PrivateKey key = Pem.key(read(certificate.get().key()));
        List<X509Certificate> chain =
                Pem.certificates(read(certificate.get().chain()).reveal());
        KeyStore store = empty();
        store.setKeyEntry("client", key, NO_PASSWORD, chain.toArray(X509Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    private static KeyStore empty() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, NO_PASSWORD);
        return store;
    }
}
