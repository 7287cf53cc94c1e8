package dev.fairlead.adapter.kernel.lio;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Secret;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Holds the block {@code tpg.auth}: the CHAP credentials of initiators and of the target.
 *
 * @param credentials by their key, in the order of {@link #KEYS}
 */
record Chap(Map<String, Secret> credentials) {
    /** The keys, in democratic-csi's and targetcli's spelling. */
    static final List<String> KEYS = List.of("userid", "password", "mutual_userid", "mutual_password");

    /** The values that targetcli accepts; it drops the rest of a line from the first other character on. */
    private static final Pattern VALUE = Pattern.compile("[A-Za-z0-9?;&*$!#,=_\\\\+/.<>()~@:%\\[\\]-]{1,255}");

    /** The value that the kernel takes for no value. */
    private static final String NONE = "NULL";

    static Chap read(ConfigNode auth) {
        Map<String, Secret> credentials = new LinkedHashMap<>();
        for (String key : KEYS) {
            auth.secret(key).filter(secret -> !secret.reveal().isEmpty()).ifPresent(secret -> {
                if (!VALUE.matcher(secret.reveal()).matches() || secret.reveal().startsWith(NONE)) {
                    auth.problems()
                            .error(
                                    auth.pathOf(key),
                                    auth.lineOf(key),
                                    "has a character that targetcli does not take, is too long, or begins with " + NONE,
                                    "use 12 to 255 letters, digits and ?;&*$!#,=_\\+/.<>()~@:%[]-");
                }
                credentials.put(key, secret);
            });
        }
        together(auth, credentials, "userid", "password");
        together(auth, credentials, "mutual_userid", "mutual_password");
        if (credentials.containsKey("mutual_password") && !credentials.containsKey("password")) {
            auth.problems()
                    .error(
                            auth.pathOf("mutual_password"),
                            auth.lineOf("mutual_password"),
                            "is of no use without a password",
                            "set userid and password too, or leave mutual_userid and mutual_password out");
        }
        return new Chap(credentials);
    }

    private static void together(ConfigNode auth, Map<String, Secret> credentials, String user, String password) {
        if (credentials.containsKey(user) != credentials.containsKey(password)) {
            String missing = credentials.containsKey(user) ? password : user;
            auth.problems()
                    .error(
                            auth.pathOf(missing),
                            auth.line(),
                            "is missing",
                            "set both " + user + " and " + password + ", or neither");
        }
    }

    boolean isEmpty() {
        return credentials.isEmpty();
    }

    /** Returns one of the credentials; empty if it is not set. */
    String reveal(String key) {
        return Optional.ofNullable(credentials.get(key)).map(Secret::reveal).orElse("");
    }

    /** Returns the text with all credentials replaced by {@code ***}, so that anyone may read it. */
    String conceal(String text) {
        String shown = text;
        for (Secret secret : credentials.values()) {
            shown = shown.replace(secret.reveal(), "***");
        }
        return shown;
    }
}
