package dev.fairlead.domain.digest;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Digests of a text's UTF-8 bytes. */
public final class Digests {
    private static final int SHORT_BYTES = 8;

    private Digests() {}

    public static byte[] sha256(String text) {
        return digest("SHA-256", text);
    }

    /** Returns the MD5 digest of a text, for compatibility with ids that a peer made, never for security. */
    public static byte[] md5(String text) {
        return digest("MD5", text);
    }

    /**
     * Returns a name as it is if it is not longer than this many characters, else its beginning with a digest of the
     * whole, so that two long names stay apart.
     *
     * @param longest at least 18
     */
    public static String shortened(String name, int longest) {
        if (name.length() <= longest) {
            return name;
        }
        String digest = HexFormat.of().formatHex(sha256(name), 0, SHORT_BYTES);
        return name.substring(0, longest - digest.length() - 1) + "-" + digest;
    }

    private static byte[] digest(String algorithm, String text) {
        try {
            return MessageDigest.getInstance(algorithm).digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java lacks " + algorithm + ", which every Java must have", e);
        }
    }
}
