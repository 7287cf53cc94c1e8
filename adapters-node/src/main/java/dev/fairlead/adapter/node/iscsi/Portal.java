package dev.fairlead.adapter.node.iscsi;

import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Excerpt;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names a portal of a target.
 *
 * @param host a name or an address, of IPv6 without brackets
 */
record Portal(String host, int port) {
    private static final int USUAL_PORT = 3260;
    private static final Pattern NAME = Pattern.compile("([A-Za-z0-9][A-Za-z0-9._-]{0,252})(?::([0-9]{1,5}))?");
    private static final String ZONE = "(?:%[A-Za-z0-9._-]{1,15})?";
    private static final Pattern IPV6 = Pattern.compile("\\[([0-9A-Fa-f:.]{2,45}" + ZONE + ")](?::([0-9]{1,5}))?");
    private static final Pattern BARE_IPV6 =
            Pattern.compile("([0-9A-Fa-f]{0,4}:[0-9A-Fa-f.]{0,15}:[0-9A-Fa-f:.]{0,39}" + ZONE + ")()");
    private static final Pattern RECORD = Pattern.compile("([^,]+),([0-9]{1,5})(?:,.*)?");

    /** Returns all portals of an attachment, in its order, each once. */
    static List<Portal> of(Attachment.Iscsi attachment) {
        Set<Portal> portals = new LinkedHashSet<>();
        if (!attachment.portal().isBlank()) {
            portals.add(read("portal", attachment.portal().strip()));
        }
        attachment.portals().stream()
                .filter(text -> !text.isBlank())
                .forEach(text -> portals.add(read("portals", text.strip())));
        if (portals.isEmpty()) {
            throw IscsiRequest.refused("portal", "is missing (expected: host:port, such as 10.0.0.1:3260)");
        }
        return List.copyOf(portals);
    }

    private static Portal read(String key, String text) {
        for (Pattern form : List.of(BARE_IPV6, IPV6, NAME)) {
            Optional<Portal> portal = matched(form, text);
            if (portal.isPresent()) {
                return portal.get();
            }
        }
        throw IscsiRequest.refused(
                key,
                Excerpt.of(text)
                        + " is no portal (expected: host:port or [address]:port, with a port from 1 to 65535)");
    }

    private static Optional<Portal> matched(Pattern form, String text) {
        Matcher portal = form.matcher(text);
        if (!portal.matches()) {
            return Optional.empty();
        }
        String digits = portal.group(2);
        int port = digits == null || digits.isEmpty() ? USUAL_PORT : Integer.parseInt(digits);
        return port >= 1 && port <= 65_535 ? Optional.of(new Portal(portal.group(1), port)) : Optional.empty();
    }

    private boolean isIpv6() {
        return host.indexOf(':') >= 0;
    }

    /** Returns whether this host, which is a name or an address, is at an address. */
    boolean isAt(String address, int otherPort) {
        if (port != otherPort || address.isEmpty()) {
            return false;
        }
        if (host.equalsIgnoreCase(address)) {
            return true;
        }
        try {
            InetAddress other = InetAddress.ofLiteral(address);
            return Arrays.asList(InetAddress.getAllByName(host)).contains(other);
        } catch (UnknownHostException | IllegalArgumentException _) {
            return false; // nobody is logged in by a name that is unknown
        }
    }

    /** Returns the portal of a node record by the name of its folder; empty if no portal can have that name. */
    static Optional<Portal> ofRecord(String name) {
        return matched(RECORD, name);
    }

    /** Returns the portal as open-iscsi names the folder of its node records. */
    String recordName() {
        return host + "," + port;
    }

    @Override
    public String toString() {
        return (isIpv6() ? "[" + host + "]" : host) + ":" + port;
    }
}
