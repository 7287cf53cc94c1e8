package dev.fairlead.adapter.kernel.nvmet;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A subsystem that shows one block device as its namespace 1.
 *
 * @param attributes of the subsystem, by the names that configfs has without {@code attr_}, in the order of the file
 * @param ports the numbers of the ports that it is reached by
 * @param hosts who alone may reach it; empty: whoever its attributes let in
 */
record Subsystem(
        String nqn, String device, Map<String, String> attributes, List<String> ports, Optional<List<String>> hosts) {
    static final String SERIAL = "serial";

    /** Of a truth, as the kernel spells it. */
    static final String ANY_HOST = "allow_any_host";

    Subsystem {
        attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
        ports = List.copyOf(ports);
        hosts = hosts.map(List::copyOf);
    }

    Subsystem(String nqn, String device, Map<String, String> attributes, List<String> ports) {
        this(nqn, device, attributes, ports, Optional.empty());
    }

    /** The same for these hosts alone. Where there are none, no port shows it. */
    Subsystem closedTo(Collection<String> only) {
        Map<String, String> closed = new LinkedHashMap<>(attributes);
        closed.put(ANY_HOST, "0");
        return new Subsystem(nqn, device, closed, ports, Optional.of(List.copyOf(only)));
    }

    /** The same, with nothing asked of these attributes. */
    Subsystem without(Collection<String> names) {
        Map<String, String> rest = new LinkedHashMap<>(attributes);
        rest.keySet().removeAll(names);
        return new Subsystem(nqn, device, rest, ports, hosts);
    }

    /** Whether its ports show it. */
    boolean isShown() {
        return hosts.filter(List::isEmpty).isEmpty();
    }

    /** What it is known by where nothing else has been said yet. */
    NvmeIdentity identity() {
        NvmeIdentity own = NvmeIdentity.of(nqn);
        String serial = attributes.get(SERIAL);
        return serial == null ? own : own.withSerial(serial);
    }
}
