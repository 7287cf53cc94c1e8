package dev.fairlead.adapter.zfs.store.volume;

import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.Property;
import dev.fairlead.zfs.property.PropertyParts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the rest of notes that a store by the API of a TrueNAS has spread over several properties. */
public record LongNoteLookup(ZfsHost host) {
    /** Returns the same properties, with those that hold the rest; nothing is asked if all of it is there. */
    public Map<String, Property> whole(DatasetName name, Map<String, Property> rows, Work work) {
        List<String> rest = Stream.of(OwnProperties.NOTES, OwnProperties.GRANTS)
                .flatMap(key -> Optional.ofNullable(rows.get(key)).stream()
                        .flatMap(first -> PropertyParts.rest(key, first.value()).stream()))
                .toList();
        if (rest.isEmpty()) {
            return rows;
        }
        Map<String, Property> all = new HashMap<>(rows);
        host.get(name.value(), rest, work).ifPresent(all::putAll);
        return all;
    }
}
