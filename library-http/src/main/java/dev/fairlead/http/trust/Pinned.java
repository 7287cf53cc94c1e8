package dev.fairlead.http.trust;

import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Set;

/** Believes a server by its certificate itself. The handshake proves that the server has the key that belongs to it. */
public final class Pinned extends Everybody {
    private final Set<CertificatePin> pins;

    public Pinned(Set<CertificatePin> pins) {
        this.pins = pins;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        CertificatePin shown = pin(chain);
        if (!pins.contains(shown)) {
            throw new CertificateException(
                    "the server shows a certificate that is not pinned, sha256:" + shown.sha256());
        }
    }

    private static CertificatePin pin(X509Certificate[] chain) throws CertificateException {
        try {
            return CertificatePin.of(chain[0]);
        } catch (GeneralSecurityException e) {
            throw new CertificateException("the server's certificate cannot be read", e);
        }
    }
}
