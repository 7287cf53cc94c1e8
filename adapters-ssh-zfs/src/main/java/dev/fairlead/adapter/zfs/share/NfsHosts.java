package dev.fairlead.adapter.zfs.share;

import dev.fairlead.domain.access.Grants;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * {@code sharenfs} with the nodes that may mount a dataset in the place of whomever the settings let in:
 * {@code rw=10.0.0.5:10.0.0.6,ro=10.0.0.7,no_root_squash}, as OpenZFS on Linux takes it.
 */
final class NfsHosts {
    /** Shares nothing, whatever the parent dataset shares. */
    static final String NOBODY = "off";

    private NfsHosts() {}

    /** Whether lists of hosts can stand in it: the form of FreeBSD begins with a dash and has them elsewhere. */
    static boolean takesHosts(String configured) {
        return !configured.startsWith("-") && !configured.equals(NOBODY);
    }

    static String of(String configured, Grants grants) {
        if (grants.isEmpty()) {
            return NOBODY;
        }
        List<String> options = new ArrayList<>();
        for (String mode : List.of("rw", "ro")) {
            List<String> hosts = grants.initiators().entrySet().stream()
                    .filter(each -> each.getValue() == mode.equals("ro"))
                    .map(Map.Entry::getKey)
                    .map(NfsHosts::host)
                    .toList();
            if (!hosts.isEmpty()) {
                options.add(mode + "=" + String.join(":", hosts));
            }
        }
        Arrays.stream(configured.split(",", -1))
                .filter(option -> !option.matches("on|(rw|ro)(=.*)?"))
                .forEach(options::add);
        return String.join(",", options);
    }

    /** Hosts are separated by what stands in an address of IPv6. */
    private static String host(String address) {
        return address.contains(":") ? "[" + address + "]" : address;
    }
}
