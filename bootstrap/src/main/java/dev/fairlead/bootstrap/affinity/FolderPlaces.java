package dev.fairlead.bootstrap.affinity;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problem;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.service.affinity.ConnectionPlaces;
import dev.fairlead.bootstrap.config.Defaults;
import dev.fairlead.bootstrap.config.YamlReader;
import dev.fairlead.bootstrap.driver.BackendAssembler;
import dev.fairlead.bootstrap.driver.BackendAssembler.Assembled;
import dev.fairlead.bootstrap.driver.DriverType;
import dev.fairlead.bootstrap.driver.DriverTypes;
import dev.fairlead.bootstrap.folder.ConnectionFolder;
import dev.fairlead.bootstrap.folder.ConnectionListener;
import dev.fairlead.bootstrap.folder.FolderWatch;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.topology.Placement;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the places of connections from the files of a folder, as a driver that starts would. */
public final class FolderPlaces implements ConnectionPlaces, ConnectionListener {
    private static final Logger log = LoggerFactory.getLogger(FolderPlaces.class);

    /** The time for which a file must not have been written to before it is read. */
    private static final Duration QUIET = Duration.ofSeconds(1);

    /** The time between two looks if the folder's file system tells of no change. */
    private static final Duration INTERVAL = Duration.ofSeconds(5);

    private final DriverTypes types;
    private final BackendAssembler assembler;
    private final Defaults defaults;
    private final ConnectionFolder folder;
    private final Map<ConnectionName, Place> places = new ConcurrentHashMap<>();
    private volatile Optional<Problem> trouble = Optional.empty();
    private volatile Optional<FolderWatch> watch = Optional.empty();

    public FolderPlaces(DriverTypes types, BackendAssembler assembler, Defaults defaults, Path folder) {
        this.types = types;
        this.assembler = assembler;
        this.defaults = defaults;
        this.folder = new ConnectionFolder(folder, this, InstantSource.system(), QUIET).patient();
        refresh();
    }

    @Override
    public Place of(ConnectionName connection) {
        Place found = places.get(connection);
        return found == null
                ? new Place.Unusable(trouble.map(Problem::toString).orElse("its file is missing or was just written"))
                : found;
    }

    @Override
    public synchronized void refresh() {
        folder.refresh();
    }

    @Override
    public void listen(Runnable changed) {
        // It looks with eyes of its own: what it has seen is read by the next round, and by no other thread.
        var look = new ConnectionFolder(folder.path(), new Told(changed), InstantSource.system(), QUIET).patient();
        var watching = new FolderWatch(look, AffinitySources.FOLDER_WATCHERS, INTERVAL, QUIET);
        watch = Optional.of(watching);
        watching.start();
    }

    @Override
    public void close() {
        watch.ifPresent(FolderWatch::close);
    }

    /** Tells of each change, whatever it is. */
    private record Told(Runnable listener) implements ConnectionListener {
        @Override
        public void changed(ConnectionName name, byte[] content) {
            listener.run();
        }

        @Override
        public void unreadable(ConnectionName name, Problem problem) {
            listener.run();
        }

        @Override
        public void removed(ConnectionName name) {
            listener.run();
        }

        @Override
        public void looked() {}

        @Override
        public void folder(List<Problem> problems) {
            listener.run();
        }
    }

    @Override
    public void changed(ConnectionName name, byte[] content) {
        var problems = new Problems(name + ".yaml");
        Optional<ConfigNode> file =
                YamlReader.read(content, problems).map(mapping -> ConfigNode.root(defaults.under(mapping), problems));
        Place found;
        try {
            found = file.map(node -> place(name, node, problems)).orElseGet(() -> unusable(problems));
        } catch (RuntimeException e) {
            // One file that nobody has thought of must not hide those behind it.
            log.atError()
                    .setCause(e)
                    .addKeyValue("connection", name.value())
                    .log("a connection's file broke its reading");
            found = new Place.Unusable(
                    "its file broke its reading: " + e.getClass().getSimpleName());
        }
        places.put(name, found);
    }

    private Place place(ConnectionName name, ConfigNode file, Problems problems) {
        // The type is read twice, since a file that cannot be used otherwise still says that it is node-local.
        if (types.of(file).filter(DriverType::nodeLocal).isPresent()) {
            return new Place.NodeLocal();
        }
        Optional<Assembled> assembled = assembler.assemble(name, file);
        return assembled.<Place>map(FolderPlaces::closed).orElseGet(() -> unusable(problems));
    }

    private static Place closed(Assembled assembled) {
        Placement placement = assembled.backend().settings().placement();
        assembled.backend().exporter().close();
        assembled.backend().store().close();
        return new Place.Shared(placement);
    }

    private static Place unusable(Problems problems) {
        return new Place.Unusable("its file cannot be used: "
                + problems.errors().stream().findFirst().map(Problem::toString).orElse("it is not read"));
    }

    @Override
    public void unreadable(ConnectionName name, Problem problem) {
        places.put(name, new Place.Unusable("its file cannot be read: " + problem));
    }

    @Override
    public void removed(ConnectionName name) {
        places.remove(name);
    }

    @Override
    public void looked() {}

    @Override
    public void folder(List<Problem> problems) {
        trouble = problems.stream().findFirst();
    }
}
