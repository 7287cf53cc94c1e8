package dev.fairlead.http.trust;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Identifies one certificate by the SHA-256 of its DER form, as {@code openssl x509 -fingerprint -sha256} and browsers
 * show it.
 *
 * @param sha256 64 hexadecimal digits in lower case
 */
public record CertificatePin(String sha256) {
    private static final Pattern DIGITS = Pattern.compile("[0-9a-f]{64}");
    private static final Pattern SEPARATED = Pattern.compile("[0-9a-f]{2}(:[0-9a-f]{2}){31}");

    public CertificatePin {
        if (!DIGITS.matcher(sha256).matches()) {
            throw new IllegalArgumentException("is no SHA-256 of a certificate (expected: 64 hexadecimal digits)");
        }
    }

    /**
     * Reads a fingerprint as tools print it: in either case, with or without colons, after {@code sha256:} or not.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static CertificatePin parse(String text) {
        String digits = text.strip().toLowerCase(Locale.ROOT).replaceFirst("^sha256[:=]", "");
        return new CertificatePin(SEPARATED.matcher(digits).matches() ? digits.replace(":", "") : digits);
    }

    public static CertificatePin of(X509Certificate certificate) throws GeneralSecurityException {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
        return new CertificatePin(HexFormat.of().formatHex(digest));
    }
}
