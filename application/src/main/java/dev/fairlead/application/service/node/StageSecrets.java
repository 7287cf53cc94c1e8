package dev.fairlead.application.service.node;

import dev.fairlead.application.config.Secret;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Removes the prefixes that democratic-csi allows before the keys of stage secrets. */
final class StageSecrets {
    private static final String PREFIX = "democratic-csi.org/";

    private StageSecrets() {}

    /**
     * Returns the secrets by their plain keys. Of several secrets for one plain key, that of this instance of the
     * driver comes first, then that of its type, then that of democratic-csi, then the one without a prefix. A secret
     * for another instance or type is left out.
     */
    static Map<String, Secret> plain(Map<String, Secret> secrets, Map<String, String> context) {
        List<String> prefixes = Stream.concat(
                        Stream.of("", PREFIX),
                        Stream.of("provisioner_driver", "provisioner_driver_instance_id")
                                .map(key -> context.getOrDefault(key, ""))
                                .filter(value -> !value.isEmpty())
                                .map(value -> PREFIX + value + "/"))
                .toList();
        Map<String, Secret> plain = new LinkedHashMap<>();
        for (String prefix : prefixes) { // the last one wins
            secrets.forEach((key, secret) -> {
                if (key.startsWith(prefix) && (prefix.isEmpty() || isPlain(key.substring(prefix.length())))) {
                    plain.put(key.substring(prefix.length()), secret);
                }
            });
        }
        plain.keySet().removeIf(key -> key.startsWith(PREFIX));
        return plain;
    }

    private static boolean isPlain(String key) {
        return !key.isEmpty() && key.indexOf('/') < 0;
    }
}
