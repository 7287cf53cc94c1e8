package dev.fairlead.adapter.zfs.store.volume;

import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.host.HostView;
import dev.fairlead.adapter.zfs.host.Mountpoints;
import dev.fairlead.adapter.zfs.host.ShareNames;
import dev.fairlead.adapter.zfs.host.ShareProtocol;
import dev.fairlead.adapter.zfs.host.StepsOutcome;
import dev.fairlead.adapter.zfs.host.ZfsConnection;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.Property;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes a filesystem be born with the properties that share it: it is kept from being born as the share of another one,
 * whose clients would find it in that one's place, and the host is asked whether it shares it.
 */
public final class ShareAtBirth {
    /** The properties that share a dataset; what else an exporter plans for a birth is for another store. */
    private static final Set<String> KNOWN = Set.of("share", "sharenfs", "sharesmb");

    private static final String MOUNTED = "mounted";
    private static final String MOUNTPOINT = "mountpoint";
    private static final String NOBODY = "off";

    private final ZfsConnection connection;
    private final Map<String, String> properties;
    private final Optional<HostView> view;

    public ShareAtBirth(ZfsConnection connection, Birth birth) {
        this.connection = connection;
        this.properties = properties(birth);
        this.view = ShareProtocol.of(properties.keySet())
                .map(protocol -> new HostView(protocol, connection.programs().asRoot()));
    }

    /** Returns the properties that share a filesystem when it is made; none for a block volume. */
    static Map<String, String> properties(Birth birth) {
        Map<String, String> known = new LinkedHashMap<>(birth.bornWith());
        known.keySet().retainAll(KNOWN);
        return birth.medium().kind() == VolumeMedium.Kind.FILESYSTEM ? known : Map.of();
    }

    /** Runs the action that makes the dataset while no other one is being shared by the same name. */
    public <T> T alone(DatasetName name, Supplier<T> action) {
        return view.isEmpty()
                ? action.get()
                : connection.turns().alone(view.get().protocol(), name, host(), action);
    }

    /** @param all properties that the dataset will be born with */
    public Steps unclaimed(DatasetName name, Map<String, String> all) {
        return view.map(it ->
                        it.unclaimed(name, given(all).or(() -> mountpoints().expected(name))))
                .orElseGet(Steps::new);
    }

    /**
     * Returns the steps that replace those that failed, if what they have found is the dataset's own share: one that an
     * earlier call has left, of a path that was not known.
     *
     * @throws dev.fairlead.domain.failure.StorageException if it is another's
     */
    public Steps again(StepsOutcome failed, DatasetName name, Map<String, String> all, Work work) {
        String path = HostView.otherPath(failed)
                .orElseThrow(() -> host().failure("looking for the share of " + name, failed));
        DatasetName parent = name.parent().orElseThrow();
        var found = host().each(List.of(parent, name), List.of(MOUNTPOINT), work);
        mountpoint(found.get(parent.value())).ifPresent(where -> mountpoints().seen(parent, where));
        Optional<String> own = mountpoint(found.get(name.value()));
        if (!own.or(() -> given(all)).or(() -> mountpoints().expected(name)).equals(Optional.of(path))) {
            String taken = ShareNames.taken(name, path);
            throw own.isPresent() ? host().notNow(taken) : host().rejected(taken);
        }
        return view.orElseThrow().unclaimed(name, Optional.of(path));
    }

    private static Optional<String> mountpoint(@Nullable Map<String, Property> rows) {
        return Optional.ofNullable(rows).map(each -> each.get(MOUNTPOINT)).map(Property::value);
    }

    /** Prints what the host shares. */
    public Steps look(DatasetName name, Map<String, String> all) {
        return view.map(it -> it.look(name, given(all))).orElseGet(Steps::new);
    }

    private static Optional<String> given(Map<String, String> all) {
        return Optional.ofNullable(all.get(MOUNTPOINT));
    }

    /** Returns what has to be read back beside a volume's own properties, so that {@link #inEffect} can tell. */
    public List<String> asked() {
        List<String> asked = new ArrayList<>(properties.keySet());
        if (!asked.isEmpty()) {
            asked.add(MOUNTED);
        }
        return asked;
    }

    /** Reads the rows that {@link #look} prints. */
    public List<String> looked() {
        return view.isPresent() ? List.of(HostView.ROW) : List.of();
    }

    /** Returns the properties if the dataset is mounted, has all of them, and the host shares it or not as they say. */
    public Map<String, String> inEffect(Map<String, Property> rows) {
        boolean set = properties.entrySet().stream()
                .allMatch(entry -> entry.getValue().equals(text(rows, entry.getKey())));
        return set && text(rows, MOUNTED).equals("yes") && isAsSaid(rows) ? properties : Map.of();
    }

    private boolean isAsSaid(Map<String, Property> rows) {
        if (view.isEmpty()) {
            return true;
        }
        boolean nobody = NOBODY.equals(properties.get(view.get().protocol().property()));
        return switch (view.get().find(rows, text(rows, MOUNTPOINT))) {
            case UNKNOWN -> true;
            case THERE -> !nobody;
            case ABSENT -> nobody;
            case ANOTHERS -> false;
        };
    }

    private static String text(Map<String, Property> rows, String key) {
        return Optional.ofNullable(rows.get(key)).map(Property::value).orElse("");
    }

    private Mountpoints mountpoints() {
        return connection.mountpoints();
    }

    private ZfsHost host() {
        return connection.host();
    }
}
