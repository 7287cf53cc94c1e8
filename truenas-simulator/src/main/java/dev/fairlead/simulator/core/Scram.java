package dev.fairlead.simulator.core;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.Caller;
import dev.fairlead.simulator.engine.JsonTools;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/** The login of 26 by which a key stays with its owner: RFC 5802 with SHA-512, in two calls of one connection. */
public final class Scram {
    private static final int ROUNDS = 4096;
    private static final int BITS = 512;

    private record Begun(String firstBare, String serverFirst, JsonObject key) {}

    private final UserAccounts accounts;
    private final SecureRandom random = new SecureRandom();
    private final Map<Caller, Begun> begun = new ConcurrentHashMap<>();

    /** Makes it on the accounts of a box. */
    public Scram(UserAccounts accounts) {
        this.accounts = accounts;
    }

    JsonElement answer(Call call, JsonObject data) {
        String text = JsonTools.text(data, "rfc_str");
        try {
            return JsonTools.text(data, "scram_type").equals("CLIENT_FIRST_MESSAGE")
                    ? first(call.caller(), text)
                    : last(call, text);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return refusal();
        }
    }

    private static JsonElement refusal() {
        return JsonTools.object("response_type", "AUTH_ERR");
    }

    // The user's name is followed by the number of the key.
    private JsonElement first(Caller caller, String text) {
        int bare = text.indexOf("n=");
        if (bare < 0) return refusal();
        Map<String, String> parts = parts(text.substring(bare));
        String name = parts.getOrDefault("n", "");
        int colon = name.lastIndexOf(':');
        Optional<JsonObject> key =
                colon < 0 ? Optional.empty() : accounts.keyOf(name.substring(0, colon), name.substring(colon + 1));
        if (key.isEmpty()) return refusal();
        if (accounts.worth(key) != UserAccounts.Worth.GOOD) return JsonTools.object("response_type", "EXPIRED");
        byte[] theirs = Base64.getDecoder().decode(parts.getOrDefault("r", ""));
        byte[] nonce = new byte[theirs.length + 32];
        random.nextBytes(nonce);
        System.arraycopy(theirs, 0, nonce, 0, theirs.length);
        byte[] salt = new byte[16];
        random.nextBytes(salt);
        String answer = "r=" + encoded(nonce) + ",s=" + encoded(salt) + ",i=" + ROUNDS;
        begun.put(caller, new Begun(text.substring(bare), answer, key.get()));
        return response("SERVER_FIRST_RESPONSE", answer, JsonNull.INSTANCE);
    }

    private JsonElement last(Call call, String text) throws GeneralSecurityException {
        Begun exchange = begun.remove(call.caller());
        int proof = text.lastIndexOf(",p=");
        if (exchange == null || proof < 0) return refusal();
        String unproved = text.substring(0, proof);
        Map<String, String> server = parts(exchange.serverFirst());
        if (!parts(unproved).getOrDefault("r", "").equals(server.get("r"))) return refusal();
        byte[] salted = salted(
                JsonTools.text(exchange.key(), "secret"), Base64.getDecoder().decode(server.getOrDefault("s", "")));
        byte[] stored = MessageDigest.getInstance("SHA-512").digest(hmac(salted, "Client Key"));
        String message = exchange.firstBare() + "," + exchange.serverFirst() + "," + unproved;
        byte[] key = Base64.getDecoder().decode(text.substring(proof + 3));
        byte[] signature = hmac(stored, message);
        if (key.length != signature.length) return refusal();
        for (int i = 0; i < key.length; i++) key[i] ^= signature[i];
        if (!MessageDigest.isEqual(MessageDigest.getInstance("SHA-512").digest(key), stored)) return refusal();
        call.caller().becomes(accounts.ofKey(exchange.key(), call.box()));
        String user = JsonTools.text(exchange.key(), "username");
        String answer = "v=" + encoded(hmac(hmac(salted, "Server Key"), message));
        return response("SERVER_FINAL_RESPONSE", answer, accounts.shown(user));
    }

    private static JsonObject response(String type, String text, JsonElement user) {
        return JsonTools.object(
                "response_type", "SCRAM_RESPONSE", "scram_type", type, "rfc_str", text, "user_info", user);
    }

    private static Map<String, String> parts(String text) {
        Map<String, String> parts = new HashMap<>();
        for (String part : text.split(",", -1))
            if (part.length() > 2 && part.charAt(1) == '=') parts.put(part.substring(0, 1), part.substring(2));
        return parts;
    }

    private static String encoded(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static byte[] salted(String secret, byte[] salt) throws GeneralSecurityException {
        return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA512")
                .generateSecret(new PBEKeySpec(secret.toCharArray(), salt, ROUNDS, BITS))
                .getEncoded();
    }

    private static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA512");
        mac.init(new SecretKeySpec(key, "HmacSHA512"));
        return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    }
}
