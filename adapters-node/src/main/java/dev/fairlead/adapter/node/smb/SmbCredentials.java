package dev.fairlead.adapter.node.smb;

import dev.fairlead.application.config.Secret;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Collects who logs in to a server, and hands it to {@code mount.cifs} by its standard input. Nothing of it becomes an
 * option: arguments can be seen by every user of the node.
 */
final class SmbCredentials {
    /** The option by which {@code mount.cifs} reads what {@link #input} returns. */
    static final String OPTION = "credentials=/proc/self/fd/0";

    private static final String USER = "username";
    private static final String PASSWORD = "password";
    private static final String DOMAIN = "domain";

    /** The names of options that say who logs in, and under which name each is read. */
    private static final Map<String, String> NAMES = Map.of(
            USER,
            USER,
            "user",
            USER,
            PASSWORD,
            PASSWORD,
            "pass",
            PASSWORD,
            DOMAIN,
            DOMAIN,
            "dom",
            DOMAIN,
            "workgroup",
            DOMAIN);

    /** The most bytes that mount.cifs takes; it cuts off the rest of a longer value without a word. */
    private static final Map<String, Integer> MOST = Map.of(USER, 255, PASSWORD, 511, DOMAIN, 255);

    private final Map<String, Secret> values = new HashMap<>();

    /**
     * Takes a mount option if it says who logs in.
     *
     * @return false if it is another option
     */
    boolean take(String field, String option) {
        int equals = option.indexOf('=');
        Optional<String> name = equals < 0
                ? Optional.empty()
                : Optional.ofNullable(NAMES.get(option.substring(0, equals).toLowerCase(Locale.ROOT)));
        name.ifPresent(it -> put(field, it, new Secret(option.substring(equals + 1))));
        return name.isPresent();
    }

    /** Takes the secrets that have the names of the values. */
    void take(Map<String, Secret> secrets) {
        for (String name : List.of(USER, PASSWORD, DOMAIN)) {
            Optional.ofNullable(secrets.get(name)).ifPresent(secret -> put("secrets", name, secret));
        }
    }

    private void put(String field, String name, Secret secret) {
        String value = secret.reveal();
        if (value.chars().anyMatch(Character::isISOControl)) {
            throw refused(field + "." + name, "has control characters (expected: none)");
        }
        int bytes = value.getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
        int most = MOST.getOrDefault(name, 0);
        if (bytes > most) {
            throw refused(field + "." + name, "has " + bytes + " bytes (expected: at most " + most + ")");
        }
        values.put(name, secret);
    }

    boolean hasPassword() {
        return values.containsKey(PASSWORD);
    }

    boolean isEmpty() {
        return values.isEmpty();
    }

    /**
     * Returns the lines that {@code mount.cifs} reads.
     *
     * @param needsPassword whether it would ask for a password that is missing
     * @throws StorageException {@code InvalidRequest} if a user or a password is given without the other
     */
    Secret input(boolean needsPassword) {
        if (!values.containsKey(USER)) {
            throw refused(
                    "secrets." + USER,
                    "is missing (expected: the user whom the given "
                            + (hasPassword() ? PASSWORD : DOMAIN) + " is of, in the secret that"
                            + " csi.storage.k8s.io/node-stage-secret-name names)");
        }
        if (needsPassword && !hasPassword()) {
            throw refused(
                    "secrets." + PASSWORD,
                    "is missing for the given user (expected: it stands in the secret that"
                            + " csi.storage.k8s.io/node-stage-secret-name names)");
        }
        StringBuilder lines = new StringBuilder();
        for (String name : List.of(USER, PASSWORD, DOMAIN)) {
            Optional.ofNullable(values.get(name))
                    .ifPresent(it ->
                            lines.append(name).append('=').append(it.reveal()).append('\n'));
        }
        return new Secret(lines.toString());
    }

    private static StorageException refused(String field, String why) {
        return new StorageException(new Failure.InvalidRequest(field, why));
    }
}
