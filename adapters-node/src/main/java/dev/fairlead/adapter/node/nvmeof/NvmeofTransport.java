package dev.fairlead.adapter.node.nvmeof;

import dev.fairlead.adapter.node.nvmeof.NvmeofSysfs.Controller;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Excerpt;
import java.net.InetAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names one way to a subsystem.
 *
 * @param type {@code tcp}, {@code rdma} or {@code fc}
 * @param host a name or an address; of IPv6 without brackets
 * @param service the port; empty for fibre channel
 */
record NvmeofTransport(String type, String host, String service, NvmeofOptions options) {
    /** The most ways that one volume may have; each is tried by a thread of its own. */
    static final int MOST = 16;

    private static final String USUAL_PORT = "4420";
    private static final String FORM = "tcp://10.0.0.1:4420, rdma://10.0.0.1:4420 or fc://[nn-0x…:pn-0x…]";
    private static final Pattern IP = Pattern.compile("(?i)(tcp|rdma)://"
            + "([A-Za-z0-9_][A-Za-z0-9_.-]{0,252}|\\[[0-9A-Fa-f:.]{2,45}(?:%[A-Za-z0-9_.-]{1,15})?])"
            + "(?::([0-9]{1,5}))?/?(?:\\?(.*))?");
    private static final Pattern FC =
            Pattern.compile("(?i)(fc)://\\[?(nn-0x[0-9a-f]{1,16}:pn-0x[0-9a-f]{1,16})]?()/?(?:\\?(.*))?");

    /** Returns all ways of an attachment, in its order, each once. */
    static List<NvmeofTransport> of(Attachment.Nvmeof attachment) {
        Map<String, NvmeofTransport> ways = new LinkedHashMap<>();
        if (!attachment.transport().isBlank()) {
            add(ways, read("transport", attachment.transport().strip()));
        }
        attachment.transports().forEach(text -> add(ways, read("transports", text.strip())));
        if (ways.isEmpty()) {
            throw NvmeofRequest.refused("transport", "is missing (expected: " + FORM + ")");
        }
        if (ways.size() > MOST) {
            throw NvmeofRequest.refused("transports", ways.size() + " ways (expected: at most " + MOST + ")");
        }
        return List.copyOf(ways.values());
    }

    private static void add(Map<String, NvmeofTransport> ways, NvmeofTransport way) {
        ways.putIfAbsent(way.place(), way);
    }

    /** Returns where the way begins and where it leads, which makes it one way whatever its other options are. */
    String place() {
        return this + " " + options.value(NvmeofOptions.HOST_ADDRESS).orElse("") + " "
                + options.value(NvmeofOptions.HOST_INTERFACE).orElse("");
    }

    private static NvmeofTransport read(String key, String text) {
        for (Pattern form : List.of(IP, FC)) {
            Matcher uri = form.matcher(text);
            if (text.length() <= 1024 && uri.matches()) {
                String type = uri.group(1).toLowerCase(Locale.ROOT);
                NvmeofOptions options = NvmeofOptions.read(key, query(key, uri.group(4) == null ? "" : uri.group(4)));
                if (form == FC) {
                    return new NvmeofTransport(type, uri.group(2).toLowerCase(Locale.ROOT), "", options);
                }
                String port = uri.group(3) == null ? USUAL_PORT : uri.group(3);
                int number = Integer.parseInt(port);
                if (number >= 1 && number <= 65_535) {
                    return new NvmeofTransport(
                            type, uri.group(2).replaceAll("[\\[\\]]", ""), Integer.toString(number), options);
                }
            }
        }
        // what stands behind the question mark may be a key, which no message shows
        throw NvmeofRequest.refused(
                key,
                Excerpt.of(text.replaceFirst("\\?.*", "?…")) + " is no way to a subsystem (expected: " + FORM + ")");
    }

    private static List<Map.Entry<String, String>> query(String key, String text) {
        List<Map.Entry<String, String>> query = new ArrayList<>();
        for (String part : text.split("&", -1)) {
            if (!part.isEmpty()) {
                String[] words = part.split("=", 2);
                query.add(Map.entry(decoded(key, words[0]), words.length < 2 ? "" : decoded(key, words[1])));
            }
        }
        return query;
    }

    private static String decoded(String key, String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8); // a key has plus signs
        } catch (IllegalArgumentException _) {
            throw NvmeofRequest.refused(key, "its options have a % that stands for no character");
        }
    }

    /** Returns whether the host is an address, and no name that others have to resolve. */
    boolean isAddress() {
        return service.isEmpty() || host.indexOf(':') >= 0 || host.matches("[0-9.]+");
    }

    boolean isTcp() {
        return type.equals("tcp");
    }

    boolean isTls() {
        return options.value(NvmeofOptions.TLS).isPresent();
    }

    /** Returns whether a way is asked for by an interface or address of this node, and not by the node's routes. */
    boolean isBound() {
        return options.value(NvmeofOptions.HOST_INTERFACE).isPresent()
                || options.value(NvmeofOptions.HOST_ADDRESS).isPresent();
    }

    /**
     * Returns whether a controller is reached by this way.
     *
     * @param addresses where the host is, which may be a name
     */
    boolean isOf(Controller controller, List<InetAddress> addresses) {
        return type.equals(controller.transport())
                && service.equals(controller.address("trsvcid"))
                && isSame(controller.address("traddr"), addresses)
                && isBoundAs(controller, NvmeofOptions.HOST_ADDRESS)
                && isBoundAs(controller, NvmeofOptions.HOST_INTERFACE);
    }

    private boolean isBoundAs(Controller controller, String option) {
        return options.value(option).map(controller.address(option)::equals).orElse(true);
    }

    private boolean isSame(String address, List<InetAddress> addresses) {
        if (host.equalsIgnoreCase(address)) {
            return true;
        }
        try {
            return addresses.contains(InetAddress.ofLiteral(address.replaceFirst("%.*", "")));
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    /** Returns the way of a controller, without options. */
    static String uri(Controller controller) {
        return uri(controller.transport(), controller.address("traddr"), controller.address("trsvcid"));
    }

    private static String uri(String type, String host, String service) {
        String place = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return type + "://" + place + (service.isEmpty() ? "" : ":" + service);
    }

    /** Returns the way without its options, among which may be keys. */
    @Override
    public String toString() {
        return uri(type, host, service);
    }
}
