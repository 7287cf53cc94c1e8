package dev.fairlead.adapter.zfs.nvmet;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A subsystem that shows one block device as its namespace 1.
 *
 * @param attributes of the subsystem, by the names that configfs has without {@code attr_}, in the order of the file
 * @param ports the numbers of the ports that it is reached by
 */
record Subsystem(String nqn, String device, Map<String, String> attributes, List<String> ports) {
    static final String SERIAL = "serial";

    Subsystem {
        attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
        ports = List.copyOf(ports);
    }

    /** What it is known by where nothing else has been said yet. */
    NvmeIdentity identity() {
        NvmeIdentity own = NvmeIdentity.of(nqn);
        String serial = attributes.get(SERIAL);
        return serial == null ? own : own.withSerial(serial);
    }
}
