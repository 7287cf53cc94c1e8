package dev.fairlead.adapter.kernel.nvmet;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Describes a subsystem that shows one block device as its namespace 1.
 *
 * @param attributes the attributes by their names in configfs without {@code attr_}, in the order of the file
 * @param ports the numbers of the ports that show it
 * @param hosts the only hosts that may reach it; empty if its attributes decide
 */
record Subsystem(
        String nqn, String device, Map<String, String> attributes, List<String> ports, Optional<List<String>> hosts) {
    static final String SERIAL = "serial";

    /** The attribute that lets every host in, with the kernel's spelling of its name. */
    static final String ANY_HOST = "allow_any_host";

    Subsystem {
        attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
        ports = List.copyOf(ports);
        hosts = hosts.map(List::copyOf);
    }

    Subsystem(String nqn, String device, Map<String, String> attributes, List<String> ports) {
        this(nqn, device, attributes, ports, Optional.empty());
    }

    /** Returns the same, open to these hosts only. If there are none, no port shows it. */
    Subsystem closedTo(Collection<String> only) {
        Map<String, String> closed = new LinkedHashMap<>(attributes);
        closed.put(ANY_HOST, "0");
        return new Subsystem(nqn, device, closed, ports, Optional.of(List.copyOf(only)));
    }

    /** Returns the same without a demand for these attributes. */
    Subsystem without(Collection<String> names) {
        Map<String, String> rest = new LinkedHashMap<>(attributes);
        rest.keySet().removeAll(names);
        return new Subsystem(nqn, device, rest, ports, hosts);
    }

    /** Returns whether its ports show it. */
    boolean isShown() {
        return hosts.filter(List::isEmpty).isEmpty();
    }

    /** Returns the identity that it gets if none was saved yet. */
    NvmeIdentity identity() {
        NvmeIdentity own = NvmeIdentity.of(nqn);
        String serial = attributes.get(SERIAL);
        return serial == null ? own : own.withSerial(serial);
    }
}
