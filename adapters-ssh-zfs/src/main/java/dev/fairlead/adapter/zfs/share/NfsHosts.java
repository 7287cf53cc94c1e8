package dev.fairlead.adapter.zfs.share;

import dev.fairlead.domain.access.Grants;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Builds values of {@code sharenfs} that name the nodes that may mount a dataset, instead of whomever the settings let
 * in: {@code sec=krb5p,no_root_squash,rw=10.0.0.5:10.0.0.6,ro=10.0.0.7}, as OpenZFS on Linux takes it.
 *
 * <p>It is read from left to right, and hosts get the security that was named before them: {@code sys} if none was.
 */
final class NfsHosts {
    /** The value that shares nothing, whatever the parent dataset shares. */
    static final String NOBODY = "off";

    private NfsHosts() {}

    /**
     * Returns whether lists of hosts can be added to a value. They cannot in FreeBSD's form, which begins with a dash
     * and has them elsewhere, nor if there are several kinds of security: a node would be named once for each, and NFS
     * uses the first.
     */
    static boolean takesHosts(String configured) {
        return !configured.startsWith("-")
                && !configured.equals(NOBODY)
                && options(configured).filter(NfsHosts::isSecurity).distinct().count() <= 1;
    }

    static String of(String configured, Grants grants) {
        if (grants.isEmpty()) {
            return NOBODY;
        }
        List<String> options = new ArrayList<>();
        options(configured).filter(NfsHosts::isSecurity).distinct().forEach(options::add);
        options(configured)
                .filter(option -> !isSecurity(option) && !option.matches("on|(rw|ro)(=.*)?"))
                .forEach(options::add);
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
        return String.join(",", options);
    }

    private static Stream<String> options(String configured) {
        return Arrays.stream(configured.split(",", -1));
    }

    private static boolean isSecurity(String option) {
        return option.startsWith("sec=");
    }

    /** Puts an IPv6 address in brackets, since colons separate hosts. */
    private static String host(String address) {
        return address.contains(":") ? "[" + address + "]" : address;
    }
}
