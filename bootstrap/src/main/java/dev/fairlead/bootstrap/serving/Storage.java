package dev.fairlead.bootstrap.serving;

import dev.fairlead.application.config.InvalidConfigException;
import dev.fairlead.application.config.Problem;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.service.connection.ConnectionStatus;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.bootstrap.driver.BackendAssembler;
import dev.fairlead.bootstrap.driver.BaseFolders;
import dev.fairlead.bootstrap.folder.ConnectionFolder;
import dev.fairlead.bootstrap.folder.FolderWatch;
import dev.fairlead.bootstrap.serving.process.HostPaths;
import dev.fairlead.bootstrap.serving.process.Startup;
import dev.fairlead.bootstrap.settings.MainFile;
import dev.fairlead.domain.connection.ConnectionName;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;

/** Opens the connections of this process, from the place that the main file names. */
final class Storage implements AutoCloseable {
    /** The time between two looks into the folder, in case the system sends no event. */
    private static final Duration INTERVAL = Duration.ofSeconds(5);

    private static final Duration QUIET = Duration.ofMillis(200);

    private final Startup startup;
    private final BackendAssembler assembler;
    private final Connections connections;
    private final HostPaths hostPaths;
    private final ConnectionEvents news;
    private final InstantSource clock;
    private final ThreadFactory threads;
    private Optional<FolderWatch> watch = Optional.empty();
    private Optional<UnusedWatch> unused = Optional.empty();

    Storage(
            Startup startup,
            BackendAssembler assembler,
            Connections connections,
            HostPaths hostPaths,
            ConnectionEvents news,
            InstantSource clock,
            ThreadFactory threads) {
        this.startup = startup;
        this.assembler = assembler;
        this.connections = connections;
        this.hostPaths = hostPaths;
        this.news = news;
        this.clock = clock;
        this.threads = threads;
    }

    /** Loads the connections; answers false if that takes longer than patience, and goes on in the background. */
    boolean open(Duration patience) throws InterruptedException {
        return switch (startup.main().kind()) {
            case MainFile.Proxy proxy -> follow(proxy, patience);
            case MainFile.Single single -> {
                load(single);
                yield true;
            }
        };
    }

    private boolean follow(MainFile.Proxy proxy, Duration patience) throws InterruptedException {
        var updates = new ConnectionUpdates(
                assembler,
                proxy.defaults(),
                connections,
                hostPaths,
                news,
                BaseFolders.bounded(threads, startup.main().perNode()));
        var folder = new ConnectionFolder(proxy.connections(), updates, clock, QUIET);
        var following = new FolderWatch(folder, threads, INTERVAL, QUIET);
        watch = Optional.of(following);
        following.start();
        unused = proxy.keepUnused().map(keep -> new UnusedWatch(connections, keep, threads));
        unused.ifPresent(UnusedWatch::start);
        return following.awaitFirstLook(patience);
    }

    private void load(MainFile.Single single) {
        var problems = new Problems(startup.options().configFile().toString());
        Optional<BackendAssembler.Assembled> assembled =
                assembler.assemble(ConnectionName.SINGLE, single.connection(problems));
        List<Problem> all = problems.all();
        all.stream().filter(problem -> !problem.isError()).forEach(ConnectionUpdates::report);
        if (assembled.isEmpty()) {
            throw new InvalidConfigException(problems.errors());
        }
        assembled.get().hostPaths().forEach(hostPaths::add);
        connections.install(assembled.get().backend());
    }

    List<ConnectionStatus> statuses() {
        return connections.statuses();
    }

    @Override
    public void close() {
        watch.ifPresent(FolderWatch::close);
        unused.ifPresent(UnusedWatch::close);
        connections.close();
    }
}
