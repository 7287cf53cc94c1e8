package dev.fairlead.adapter.freenas;

import dev.fairlead.adapter.freenas.client.connection.TruenasConnections;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.contract.FactoryContract;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** The contract of factories by the connection files of TrueNAS boxes, which have a block for each protocol. */
interface FreenasFileContract<T extends AutoCloseable> extends FactoryContract<T> {
    String DRIVER = "freenas-api-";
    String KEY = "k".repeat(64);
    String PARENT = "tank/k8s/v";

    default TruenasConnections connections() {
        return new TruenasConnections(Thread.ofVirtual().factory());
    }

    default LateCalls pending() {
        return new LateCalls(InstantSource.system());
    }

    /** Returns the name of the protocol, and of its block. */
    String protocol();

    @Override
    default String driverType() {
        return DRIVER + protocol();
    }

    @Override
    default List<String> secrets() {
        return List.of(KEY);
    }

    /** Returns a file without a block of a protocol, as the stores read it. */
    default Mapping file(Map<String, Object> zfs) {
        return ConfigTrees.of(Map.of(
                "driver",
                driverType(),
                "httpConnection",
                Map.of("host", "nas.example.org", "apiKey", "1-" + KEY),
                "zfs",
                zfs));
    }

    /** Returns a file with the block of its protocol, as the exporters read it. */
    default Mapping fileOf(Map<String, Object> block) {
        return ConfigTrees.with(file(Map.of("datasetParentName", PARENT)), protocol(), block);
    }
}
