package dev.fairlead.simulator.core;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.Caller;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Store;
import dev.fairlead.simulator.profile.Profile;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Keeps the users of a box, and their keys. */
public final class UserAccounts {
    static final String USERS = "user";
    static final String KEYS = "api_key";

    private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final int LETTERS_OF_A_KEY = 64;

    private final Store store;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    /** Makes them on a state. */
    public UserAccounts(Store store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    /** Says what a key that was shown is worth. */
    enum Worth {
        GOOD,
        EXPIRED,
        WRONG
    }

    /** Adds a user or changes its password and roles. */
    public void user(String name, String password, Set<String> roles) {
        store.update(tables -> {
            long id = tables.row(USERS, name)
                    .map(row -> JsonTools.number(row, "id", 0))
                    .orElseGet(() -> tables.nextId(USERS));
            tables.put(USERS, name, JsonTools.object("id", id, "username", name, "password", password, "roles", roles));
        });
    }

    /** Makes a key of a user and returns its text. */
    public String key(String user) {
        StringBuilder text = new StringBuilder();
        random.ints(LETTERS_OF_A_KEY, 0, LETTERS.length()).forEach(i -> text.append(LETTERS.charAt(i)));
        long id = store.change(tables -> {
            long next = tables.nextId(KEYS);
            tables.put(
                    KEYS,
                    JsonTools.object(
                            "id",
                            next,
                            "name",
                            user + "-" + next,
                            "username",
                            user,
                            "secret",
                            text.toString(),
                            "user_identifier",
                            "LOCAL:" + user,
                            "expires_at",
                            JsonNull.INSTANCE,
                            "local",
                            true,
                            "revoked",
                            false,
                            "revoked_reason",
                            JsonNull.INSTANCE,
                            "created_at",
                            JsonTools.date(clock.instant())));
            return next;
        });
        return id + "-" + text;
    }

    /** Revokes a key for a reason. */
    public void revoke(long id, String reason) {
        store.update(tables -> tables.row(KEYS, id)
                .ifPresent(row -> tables.put(
                        KEYS,
                        JsonTools.merged(
                                row, JsonTools.object("revoked", true, "revoked_reason", reason, "expires_at", -1)))));
    }

    /** Deletes a key. */
    public void deleteKey(long id) {
        store.update(tables -> tables.remove(KEYS, id));
    }

    Optional<JsonObject> keyRow(String key) {
        int dash = key.indexOf('-');
        if (dash <= 0 || !key.substring(0, dash).matches("[0-9]{1,9}")) return Optional.empty();
        return store.read(tables -> tables.row(KEYS, Long.parseLong(key.substring(0, dash))))
                .filter(row -> JsonTools.text(row, "secret").equals(key.substring(dash + 1)));
    }

    /** Finds a user's key by its number. */
    Optional<JsonObject> keyOf(String user, String id) {
        if (!id.matches("[0-9]{1,9}")) return Optional.empty();
        return store.read(tables -> tables.row(KEYS, Long.parseLong(id)))
                .filter(row -> JsonTools.text(row, "username").equals(user));
    }

    Worth worth(Optional<JsonObject> row) {
        if (row.isEmpty()) return Worth.WRONG;
        return JsonTools.flag(row.get(), "revoked", false) ? Worth.EXPIRED : Worth.GOOD;
    }

    /** Finds whom a key makes of a caller; up to 24.10 it makes an administrator, whoever it was made for. */
    Caller.Identity ofKey(JsonObject key, Profile box) {
        String user = JsonTools.text(key, "username");
        Set<String> roles = box.before(Profile.V25_04) ? Set.of("FULL_ADMIN") : roles(user);
        return new Caller.Identity(user, roles, JsonTools.number(key, "id", 0));
    }

    Optional<Caller.Identity> ofPassword(String user, String password) {
        return store.read(tables -> tables.row(USERS, user))
                .filter(row -> JsonTools.text(row, "password").equals(password))
                .map(row -> new Caller.Identity(user, roles(user), 0));
    }

    /** Finds whom a key is, as REST is shown it. */
    public Optional<Caller.Identity> bearer(String key, Profile box) {
        Optional<JsonObject> row = keyRow(key);
        return worth(row) == Worth.GOOD ? row.map(found -> ofKey(found, box)) : Optional.empty();
    }

    /** Finds whom a name and a password are, as REST is shown them. */
    public Optional<Caller.Identity> basic(String user, String password) {
        return ofPassword(user, password);
    }

    /** Tells whether somebody is still who they were at the login: the key is there and not revoked. */
    public boolean stands(Caller.Identity identity) {
        if (identity.key() == 0) return true;
        return store.read(tables -> tables.row(KEYS, identity.key()))
                .filter(row -> !JsonTools.flag(row, "revoked", false))
                .isPresent();
    }

    private Set<String> roles(String user) {
        return store.read(tables -> tables.row(USERS, user))
                .map(row -> JsonTools.list(row, "roles").asList().stream()
                        .map(JsonElement::getAsString)
                        .collect(Collectors.toSet()))
                .orElseGet(Set::of);
    }

    JsonObject shown(String user) {
        return JsonTools.object(
                "pw_name",
                user,
                "pw_gecos",
                user,
                "pw_dir",
                "/root",
                "pw_shell",
                "/usr/bin/zsh",
                "pw_uid",
                0,
                "pw_gid",
                0,
                "grouplist",
                JsonNull.INSTANCE,
                "sid",
                JsonNull.INSTANCE,
                "source",
                "LOCAL",
                "local",
                true,
                "attributes",
                new JsonObject(),
                "two_factor_config",
                JsonTools.object(),
                "privilege",
                JsonTools.object("roles", roles(user), "webui_access", true),
                "account_attributes",
                JsonTools.array("LOCAL"));
    }
}
