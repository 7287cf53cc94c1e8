package dev.fairlead.adapter.freenas.nfs;

import com.google.gson.JsonObject;
import dev.fairlead.http.Json;
import java.math.BigInteger;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Describes an NFS share as the API answers it.
 *
 * @param paths what it shares: one path, or several on CORE
 * @param hosts who may mount it; together with no networks, an empty list is everybody
 * @param fields all its fields, as they were answered
 */
record NfsShareEntry(
        long id,
        List<String> paths,
        String comment,
        Set<String> hosts,
        Set<String> networks,
        boolean enabled,
        JsonObject fields) {
    static Optional<NfsShareEntry> read(JsonObject json) {
        List<String> paths = new ArrayList<>(Json.texts(json, "paths"));
        Json.text(json, "path").filter(path -> !paths.contains(path)).ifPresent(paths::add);
        return Json.number(json, "id")
                .map(id -> new NfsShareEntry(
                        id,
                        List.copyOf(paths),
                        Json.text(json, "comment").orElse(""),
                        new TreeSet<>(Json.texts(json, "hosts")),
                        new TreeSet<>(Json.texts(json, "networks")),
                        Json.flag(json, "enabled"),
                        json.deepCopy()));
    }

    /**
     * Returns networks by what they mean, to be compared: since 25.04 a box writes the first address and the number of
     * bits of each, whatever it was sent.
     */
    static Set<String> meaning(Collection<String> networks) {
        return networks.stream().map(NfsShareEntry::meaning).collect(Collectors.toSet());
    }

    private static String meaning(String network) {
        int slash = network.indexOf('/');
        try {
            byte[] address = InetAddress.ofLiteral(slash < 0 ? network : network.substring(0, slash))
                    .getAddress();
            int length = address.length * Byte.SIZE;
            int bits = slash < 0 ? length : bits(network.substring(slash + 1));
            return bits < 0 || bits > length
                    ? network
                    : length + ":" + new BigInteger(1, address).shiftRight(length - bits) + "/" + bits;
        } catch (IllegalArgumentException e) {
            return network; // what is no network means only itself, and the box has the last word
        }
    }

    /** Returns the number of bits that a mask has, which is that number or an address such as 255.255.0.0. */
    private static int bits(String mask) {
        if (!mask.contains(".")) {
            return Integer.parseInt(mask);
        }
        int bits = new BigInteger(InetAddress.ofLiteral(mask).getAddress()).intValue();
        int ones = Integer.numberOfLeadingZeros(~bits);
        return Integer.bitCount(bits) == ones ? ones : -1;
    }

    /** Says whether it shares this path and no other one. */
    boolean isOnlyOf(String path) {
        return paths.equals(List.of(path));
    }

    /** Says whether exactly these hosts may mount it, and nobody else. */
    boolean letsInOnly(Set<String> wanted) {
        return wanted.isEmpty() ? !enabled : enabled && networks.isEmpty() && hosts.equals(wanted);
    }
}
