package dev.fairlead.bootstrap.serving;

import dev.fairlead.application.config.Problem;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.bootstrap.config.Defaults;
import dev.fairlead.bootstrap.driver.BackendAssembler;
import dev.fairlead.bootstrap.driver.BaseFolders;
import dev.fairlead.bootstrap.folder.ConnectionListener;
import dev.fairlead.bootstrap.serving.process.HostPaths;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Brings the files of the folder into force, and logs the outcome of each. */
final class ConnectionUpdates implements ConnectionListener {
    private static final Logger log = LoggerFactory.getLogger(ConnectionUpdates.class);

    private final BackendAssembler assembler;
    private final Defaults defaults;
    private final Connections connections;
    private final HostPaths hostPaths;
    private final ConnectionEvents news;
    private final BaseFolders bases;

    /** Files whose base folder another connection has; they are tried again when one changes or goes. */
    private final SortedMap<ConnectionName, byte[]> waiting = new TreeMap<>();

    /** The content of each file that is in force, kept in case its connection loses its base folder to another one. */
    private final Map<ConnectionName, byte[]> loaded = new HashMap<>();

    ConnectionUpdates(
            BackendAssembler assembler,
            Defaults defaults,
            Connections connections,
            HostPaths hostPaths,
            ConnectionEvents news,
            BaseFolders bases) {
        this.assembler = assembler;
        this.defaults = defaults;
        this.connections = connections;
        this.hostPaths = hostPaths;
        this.news = news;
        this.bases = bases;
    }

    @Override
    public void changed(ConnectionName name, byte[] content) {
        waiting.remove(name);
        load(name, content);
        tryWaiting();
    }

    /** Tries the waiting files in their order, again while one is loaded: it may let go of what another waits for. */
    private void tryWaiting() {
        int before;
        do {
            before = waiting.size();
            new TreeMap<>(waiting).forEach((name, content) -> {
                waiting.remove(name);
                load(name, content);
            });
        } while (waiting.size() < before);
    }

    private void load(ConnectionName name, byte[] content) {
        Problems problems = problemsOf(name);
        Optional<BackendAssembler.Assembled> assembled = assemble(name, content, problems);
        problems.all().forEach(ConnectionUpdates::report);
        if (assembled.isEmpty()) {
            bases.forget(name);
            reject(name, problems.errors());
            return;
        }
        Backend backend = assembled.get().backend();
        SortedMap<ConnectionName, Problem> losers = bases.take(name, assembled.get());
        Problem lost = losers.get(name);
        if (lost != null) {
            backend.exporter().close();
            backend.store().close();
            waiting.put(name, content);
            unreadable(name, lost);
            return;
        }
        losers.forEach(this::takeOutOfForce);
        bases.warning(name).ifPresent(ConnectionUpdates::report);
        loaded.put(name, content);
        assembled.get().hostPaths().forEach(hostPaths::add);
        connections.install(backend, () -> again(name, content));
        news.loaded(name);
        log.atInfo()
                .addKeyValue("connection", name)
                .addKeyValue("driver", backend.driverType())
                .log("connection loaded");
    }

    /**
     * Takes a connection out of force whose base folder is marked for another one; its last good version does not go
     * on.
     */
    private void takeOutOfForce(ConnectionName name, Problem problem) {
        byte[] content = loaded.remove(name);
        if (content != null) {
            waiting.putIfAbsent(name, content);
        }
        connections.remove(name);
        unreadable(name, problem);
    }

    /**
     * Assembles a connection; reports an unexpected exception as a problem of its file, since the files after it are
     * still to be read. The exception's message is not logged, since it may quote a value.
     */
    private Optional<BackendAssembler.Assembled> assemble(ConnectionName name, byte[] content, Problems problems) {
        try {
            return assembler.assemble(name, content, defaults, problems);
        } catch (RuntimeException | Error e) {
            String at = e.getStackTrace().length == 0 ? "" : " at " + e.getStackTrace()[0];
            problems.error(
                    "",
                    0,
                    "cannot be loaded because of a defect: " + e.getClass().getSimpleName() + at,
                    "report it, with the keys of the file and without its values");
            return Optional.empty();
        }
    }

    /**
     * Opens a connection again; throws {@code ConnectionBroken} if its file has errors now, as it may if a setting
     * names another file.
     */
    private Backend again(ConnectionName name, byte[] content) {
        Problems problems = problemsOf(name);
        log.atDebug().addKeyValue("connection", name).log("connection opened again");
        return assembler
                .assemble(name, content, defaults, problems)
                .map(BackendAssembler.Assembled::backend)
                .orElseThrow(() -> new StorageException(new Failure.ConnectionBroken(
                        name.value(),
                        problems.errors().stream().map(Problem::toString).toList())));
    }

    private static Problems problemsOf(ConnectionName name) {
        return new Problems(name + ".yaml");
    }

    @Override
    public void unreadable(ConnectionName name, Problem problem) {
        report(problem);
        reject(name, List.of(problem));
    }

    private void reject(ConnectionName name, List<Problem> problems) {
        connections.reject(name, problems);
        news.rejected(name, problems);
        log.atWarn()
                .addKeyValue("connection", name)
                .log("connection not loaded; its last good version, if any, goes on");
    }

    @Override
    public void removed(ConnectionName name) {
        waiting.remove(name);
        loaded.remove(name);
        connections.remove(name);
        bases.release(name);
        news.removed(name);
        log.atWarn().addKeyValue("connection", name).log("connection removed; calls on its volumes wait for its file");
        tryWaiting();
    }

    /**
     * Tries the refused connections again whose base folder has their mark now; its storage may have been away before.
     */
    @Override
    public void looked() {
        for (ConnectionName name : bases.rightful()) {
            byte[] content = waiting.remove(name);
            if (content != null) {
                load(name, content);
            }
        }
    }

    @Override
    public void folder(List<Problem> problems) {
        problems.forEach(ConnectionUpdates::report);
        news.folder(problems);
    }

    static void report(Problem problem) {
        Level level = switch (problem.severity()) {
            case ERROR -> Level.ERROR;
            case WARNING -> Level.WARN;
            case NOTE -> Level.INFO;
        };
        log.atLevel(level)
                .addKeyValue("file", problem.source())
                .addKeyValue("line", problem.line())
                .addKeyValue("key", problem.path())
                .addKeyValue("problem", problem.what())
                .addKeyValue("remedy", problem.remedy())
                .log(problem.isNote() ? "configuration note" : "configuration problem");
    }
}
