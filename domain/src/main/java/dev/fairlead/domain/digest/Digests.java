package dev.fairlead.domain.digest;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Digests of a text's UTF-8 bytes. */
public final class Digests {
    private Digests() {}

    public static byte[] sha256(String text) {
        return digest("SHA-256", text);
    }

    /** Returns the MD5 digest of a text, for compatibility with ids that a peer made, never for security. */
    public static byte[] md5(String text) {
        return digest("MD5", text);
    }

    private static byte[] digest(String algorithm, String text) {
        try {
            return MessageDigest.getInstance(algorithm).digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java lacks " + algorithm + ", which every Java must have", e);
        }
    }
}
