package dev.fairlead.adapter.zfs.share;

import dev.fairlead.adapter.zfs.host.ShareProtocol;
import dev.fairlead.application.config.ConfigNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Holds the {@code nfs} or {@code smb} block of a connection's file, with democratic-csi's keys.
 *
 * @param host {@code shareHost}: the name or address by which nodes find the storage host
 * @param properties {@code shareStrategySetDatasetProperties.properties}: the properties that share a dataset
 */
record ShareSettings(String host, Map<String, String> properties) {
    private static final String STRATEGY = "shareStrategy";
    private static final String SET = "setDatasetProperties";

    ShareSettings {
        properties = Map.copyOf(properties);
    }

    static ShareSettings read(ConfigNode file, ShareProtocol protocol) {
        ConfigNode block = file.child(protocol.block());
        String host = block.require(
                "shareHost", ShareSettings::host, "", "name the storage host as nodes find it: an address or a name");
        // With a strategy that it did not know, democratic-csi made volumes without a share, and could not delete
        // them.
        block.require(STRATEGY, ShareSettings::strategy, SET, "write " + SET);
        ConfigNode set = block.child("shareStrategySetDatasetProperties").child("properties");
        Map<String, String> properties = new LinkedHashMap<>();
        for (String key : List.of("share", protocol.property())) {
            set.optional(key, ShareSettings::value, "on, or the options of exports(5)")
                    .filter(value -> !value.isEmpty())
                    .ifPresent(value -> properties.put(key, value));
        }
        if (properties.isEmpty()) {
            set.problems()
                    .error(
                            set.pathOf(protocol.property()),
                            set.line(),
                            "is missing, so that nothing would share a volume",
                            "set it to on, or to the options that you want");
        }
        return new ShareSettings(host, properties);
    }

    private static String host(String text) {
        if (!text.matches("[A-Za-z0-9_.:\\[\\]-]{1,255}")) {
            throw new IllegalArgumentException("'" + text + "' is no name or address");
        }
        return text;
    }

    private static String strategy(String text) {
        if (!text.equals(SET)) {
            throw new IllegalArgumentException("'" + text + "' is not known");
        }
        return text;
    }

    private static String value(String text) {
        if (text.chars().anyMatch(Character::isISOControl) || text.length() > 4096) {
            throw new IllegalArgumentException("is too long, or has control characters");
        }
        return text;
    }
}
