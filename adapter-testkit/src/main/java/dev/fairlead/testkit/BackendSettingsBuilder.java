package dev.fairlead.testkit;

import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.application.service.connection.BackendSettings;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.volume.CapabilityRules;
import dev.fairlead.domain.volume.IdPolicy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Makes the settings of a connection from those that matter to a test; the others are those of a connection of folders
 * that every node reaches.
 */
public final class BackendSettingsBuilder {
    private Optional<String> instanceId = Optional.empty();
    private boolean retainOnDelete;
    private CapabilityRules capabilities = CapabilityRules.localHostpath();
    private Placement placement = Placement.ANYWHERE;
    private Map<String, String> labels = Map.of();
    private OnDependents onDependents = OnDependents.REFUSE;
    private int concurrency = 4;
    private Duration patience = Duration.ofMinutes(1);
    private boolean closed;
    private boolean nodeExpands;
    private Set<String> parameterKeys = Set.of();

    public BackendSettingsBuilder instanceId(String id) {
        instanceId = Optional.of(id);
        return this;
    }

    /** Lets DeleteVolume leave volumes where they are. */
    public BackendSettingsBuilder retaining() {
        retainOnDelete = true;
        return this;
    }

    public BackendSettingsBuilder capabilities(CapabilityRules rules) {
        capabilities = rules;
        return this;
    }

    public BackendSettingsBuilder placement(Placement place) {
        placement = place;
        return this;
    }

    public BackendSettingsBuilder labels(Map<String, String> all) {
        labels = Map.copyOf(all);
        return this;
    }

    public BackendSettingsBuilder onDependents(OnDependents policy) {
        onDependents = policy;
        return this;
    }

    public BackendSettingsBuilder concurrency(int calls) {
        concurrency = calls;
        return this;
    }

    public BackendSettingsBuilder patience(Duration time) {
        patience = time;
        return this;
    }

    /** Makes new volumes closed to all nodes but those that they are published to, or open. */
    public BackendSettingsBuilder closed(boolean whether) {
        closed = whether;
        return this;
    }

    /** Lets the node that has a volume expand it. */
    public BackendSettingsBuilder expandedByNodes() {
        nodeExpands = true;
        return this;
    }

    public BackendSettingsBuilder parameterKeys(Set<String> keys) {
        parameterKeys = Set.copyOf(keys);
        return this;
    }

    public BackendSettings build() {
        return new BackendSettings(
                instanceId,
                IdPolicy.DEFAULT,
                retainOnDelete,
                capabilities,
                placement,
                labels,
                onDependents,
                concurrency,
                patience,
                closed,
                nodeExpands,
                parameterKeys);
    }
}
