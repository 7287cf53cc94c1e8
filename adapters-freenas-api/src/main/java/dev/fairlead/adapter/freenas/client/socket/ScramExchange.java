package dev.fairlead.adapter.freenas.client.socket;

import dev.fairlead.application.config.Secret;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Proves to a box that this process has an API key, without sending it, and has the box prove that it knows the key
 * (RFC 5802 with SHA-512). A nonce is the base64 of bytes, and the box's is that of both sides' bytes together.
 */
final class ScramExchange {
    private static final int NONCE_BYTES = 32;
    private static final int FEWEST_ROUNDS = 4_096;
    private static final int MOST_ROUNDS = 5_000_000;
    private static final int KEY_BITS = 512;
    /** The base64 of {@code n,,}: the channel is not bound. */
    private static final String UNBOUND = "biws";

    private final Secret key;
    private final byte[] nonce;
    private final String firstBare;

    private ScramExchange(Secret key, byte[] nonce, String firstBare) {
        this.key = key;
        this.nonce = nonce;
        this.firstBare = firstBare;
    }

    /** @param apiKey the key's number, a dash and the key itself */
    static ScramExchange begin(String username, Secret apiKey) {
        byte[] nonce = new byte[NONCE_BYTES];
        new SecureRandom().nextBytes(nonce);
        return begin(username, apiKey, nonce);
    }

    static ScramExchange begin(String username, Secret apiKey, byte[] nonce) {
        int dash = apiKey.reveal().indexOf('-');
        String name = username.replace("=", "=3D").replace(",", "=2C") + ":"
                + apiKey.reveal().substring(0, dash);
        String bare = "n=" + name + ",r=" + Base64.getEncoder().encodeToString(nonce);
        return new ScramExchange(new Secret(apiKey.reveal().substring(dash + 1)), nonce, bare);
    }

    String first() {
        return "n,," + firstBare;
    }

    /**
     * Returns the message that proves the key, and by what the box has to answer it.
     *
     * @throws IllegalArgumentException if the box's message is not one of this exchange
     */
    Proof answer(String serverFirst) throws GeneralSecurityException {
        Map<String, String> parts = parts(serverFirst);
        byte[] both = decoded(parts, "r");
        if (both.length <= nonce.length || !Arrays.equals(nonce, Arrays.copyOf(both, nonce.length))) {
            throw new IllegalArgumentException("the box answers another exchange");
        }
        byte[] salted = salted(decoded(parts, "s"), rounds(parts.getOrDefault("i", "")));
        byte[] clientKey = hmac(salted, "Client Key");
        byte[] stored = MessageDigest.getInstance("SHA-512").digest(clientKey);
        String unproved = "c=" + UNBOUND + ",r=" + parts.getOrDefault("r", "");
        String message = firstBare + "," + serverFirst + "," + unproved;
        byte[] proof = hmac(stored, message);
        for (int i = 0; i < proof.length; i++) {
            proof[i] ^= clientKey[i];
        }
        String expected = Base64.getEncoder().encodeToString(hmac(hmac(salted, "Server Key"), message));
        return new Proof(unproved + ",p=" + Base64.getEncoder().encodeToString(proof), expected);
    }

    /**
     * @param last the message that proves the key
     * @param signature what the box answers if it knows the key
     */
    record Proof(String last, String signature) {
        /** Says whether the box has proved that it knows the key. */
        boolean isAnsweredBy(String serverFinal) {
            return MessageDigest.isEqual(
                    ("v=" + signature).getBytes(StandardCharsets.UTF_8), serverFinal.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static Map<String, String> parts(String message) {
        Map<String, String> parts = new HashMap<>();
        for (String part : message.split(",", -1)) {
            if (part.length() > 2 && part.charAt(1) == '=') {
                parts.put(part.substring(0, 1), part.substring(2));
            }
        }
        return parts;
    }

    private static byte[] decoded(Map<String, String> parts, String name) {
        return Base64.getDecoder().decode(parts.getOrDefault(name, ""));
    }

    private static int rounds(String digits) {
        int rounds = digits.matches("[0-9]{1,7}") ? Integer.parseInt(digits) : 0;
        if (rounds < FEWEST_ROUNDS || rounds > MOST_ROUNDS) {
            throw new IllegalArgumentException("the box asks for " + rounds + " rounds");
        }
        return rounds;
    }

    private byte[] salted(byte[] salt, int rounds) throws GeneralSecurityException {
        var spec = new PBEKeySpec(key.reveal().toCharArray(), salt, rounds, KEY_BITS);
        try {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA512")
                    .generateSecret(spec)
                    .getEncoded();
        } finally {
            spec.clearPassword();
        }
    }

    private static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA512");
        mac.init(new SecretKeySpec(key, "HmacSHA512"));
        return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    }
}
