package dev.fairlead.adapter.k8s;

import dev.fairlead.adapter.k8s.KubernetesSettings.Certificate;
import dev.fairlead.adapter.k8s.KubernetesSettings.Material;
import dev.fairlead.adapter.k8s.KubernetesSettings.Trust;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;

/** Who is believed, and who this process shows that it is. */
record Tls(SSLSocketFactory sockets, X509TrustManager trusted, boolean anyName) {
    private static final char[] NO_PASSWORD = new char[0];

    /** @throws StorageException {@code NodeFault} where a certificate or a key cannot be read */
    static Tls of(KubernetesSettings settings) {
        String reading = "the roots of the API server";
        try {
            X509TrustManager trusted = trusted(settings.trust());
            reading = "the client's certificate for the API server";
            KeyManager[] keys = keys(settings.certificate());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys, new TrustManager[] {trusted}, new SecureRandom());
            return new Tls(context.getSocketFactory(), trusted, settings.trust() instanceof Trust.Anything);
        } catch (IOException e) {
            throw fault(reading, e.getClass().getSimpleName() + ", " + place(settings), e);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw fault(reading, e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage(), e);
        }
    }

    private static String place(KubernetesSettings settings) {
        return settings.trust() instanceof Trust.Roots(Material.InFile(var path)) ? path.toString() : "kubeconfig";
    }

    private static StorageException fault(String reading, String detail, Exception cause) {
        return new StorageException(new Failure.NodeFault("reading " + reading, detail), cause);
    }

    private static X509TrustManager trusted(Trust trust) throws IOException, GeneralSecurityException {
        return switch (trust) {
            case Trust.Anything() -> new Everybody();
            case Trust.SystemRoots() -> byRoots(Optional.empty());
            case Trust.Roots(Material pem) ->
                byRoots(Optional.of(Pem.certificates(Materials.read(pem).reveal())));
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

    private static KeyManager[] keys(Optional<Certificate> certificate) throws IOException, GeneralSecurityException {
        if (certificate.isEmpty()) {
            return new KeyManager[0];
        }
        PrivateKey key = Pem.key(Materials.read(certificate.get().key()));
        List<X509Certificate> chain =
                Pem.certificates(Materials.read(certificate.get().chain()).reveal());
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

    /**
     * For a kubeconfig that says {@code insecure-skip-tls-verify: true}; the extended kind, so that Java adds no check.
     */
    private static final class Everybody extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
