package dev.fairlead.bootstrap.serving;

import dev.fairlead.bootstrap.logging.LogSettings;
import dev.fairlead.bootstrap.logging.Logging;
import dev.fairlead.bootstrap.options.Mode;
import dev.fairlead.bootstrap.options.ServeOptions;
import dev.fairlead.bootstrap.options.Version;
import dev.fairlead.bootstrap.serving.process.Signals;
import dev.fairlead.bootstrap.serving.process.Startup;
import dev.fairlead.bootstrap.trust.ExtraRoots;
import dev.fairlead.domain.failure.StorageException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a driver from its command line to its last call. */
public final class Driver {
    private Driver() {}

    /**
     * Serves until a signal comes; answers the exit code.
     *
     * @throws dev.fairlead.application.config.InvalidConfigException if the configuration cannot be used
     */
    public static int run(ServeOptions options, Map<String, String> environment, boolean color)
            throws InterruptedException {
        Logging.use(LogSettings.of(options.logLevel(), options.logFormat(), environment, color));
        Logger log = LoggerFactory.getLogger(Driver.class);
        options.warnings()
                .forEach(warning -> log.atWarn().addKeyValue("detail", warning).log("command line"));
        if (options.modes().contains(Mode.CONTROLLER)) {
            ExtraRoots.use(environment); // only controllers talk to storage
        }
        Startup startup = Startup.of(options, environment);
        startup.main().warnings().forEach(ConnectionUpdates::report);
        Serving serving;
        try {
            serving = serving(startup);
        } catch (StorageException e) {
            return cannotServe(log, e);
        }
        var end = new CountDownLatch(1);
        var inTime = new AtomicBoolean(true);
        var lost = new AtomicBoolean();
        ThreadFactory threads = Thread.ofPlatform().daemon().name("ending").factory();
        Signals.handle(threads, () -> {
            log.atInfo().log("ending: calls that run may finish, new ones are refused");
            inTime.set(drained(serving));
            end.countDown();
        });
        try {
            boolean serves = serving.start(why -> {
                log.atError()
                        .addKeyValue("reason", why)
                        .log("this replica does not lead any more; the process ends, another one takes over");
                lost.set(true);
                end.countDown();
            });
            if (serves) {
                log.atInfo()
                        .addKeyValue("version", Version.NUMBER)
                        .addKeyValue(
                                "modes",
                                options.modes().stream()
                                        .map(Mode::name)
                                        .sorted()
                                        .toList())
                        .log("ready");
            }
        } catch (StorageException e) {
            return cannotServe(log, e);
        }
        end.await();
        if (lost.get()) {
            return 1;
        }
        log.atInfo().addKeyValue("allCallsEnded", inTime.get()).log("ended");
        return 0;
    }

    private static int cannotServe(Logger log, StorageException why) {
        log.atError()
                .addKeyValue("code", why.failure().code())
                .addKeyValue("reason", why.failure().message())
                .log("cannot serve");
        return 1;
    }

    private static boolean drained(Serving serving) {
        try {
            return serving.drain(Serving.DRAIN);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Builds the graph of the modes that were asked for. */
    static Serving serving(Startup startup) {
        boolean controller = startup.options().modes().contains(Mode.CONTROLLER);
        boolean node = startup.options().modes().contains(Mode.NODE);
        if (controller && node) {
            return DaggerAllComponent.factory().create(startup).serving();
        }
        return controller
                ? DaggerControllerComponent.factory().create(startup).serving()
                : DaggerNodeComponent.factory().create(startup).serving();
    }
}
