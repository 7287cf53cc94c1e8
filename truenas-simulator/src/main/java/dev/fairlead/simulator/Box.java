package dev.fairlead.simulator;

import dev.fairlead.simulator.block.ExtentMethods;
import dev.fairlead.simulator.block.FabricLinks;
import dev.fairlead.simulator.block.FabricMethods;
import dev.fairlead.simulator.block.GlobalMethods;
import dev.fairlead.simulator.block.GroupMethods;
import dev.fairlead.simulator.block.LinkMethods;
import dev.fairlead.simulator.block.NamespaceMethods;
import dev.fairlead.simulator.block.SubsystemMethods;
import dev.fairlead.simulator.block.TargetMethods;
import dev.fairlead.simulator.block.VolumeDevices;
import dev.fairlead.simulator.core.AuthMethods;
import dev.fairlead.simulator.core.BulkCalls;
import dev.fairlead.simulator.core.CoreMethods;
import dev.fairlead.simulator.core.RateLimit;
import dev.fairlead.simulator.core.Scram;
import dev.fairlead.simulator.core.UserAccounts;
import dev.fairlead.simulator.engine.Attachments;
import dev.fairlead.simulator.engine.Engine;
import dev.fairlead.simulator.engine.Events;
import dev.fairlead.simulator.engine.Jobs;
import dev.fairlead.simulator.engine.Methods;
import dev.fairlead.simulator.engine.RealStorage;
import dev.fairlead.simulator.engine.Store;
import dev.fairlead.simulator.failure.CallLog;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.failure.Faults;
import dev.fairlead.simulator.model.ModelCheck;
import dev.fairlead.simulator.pool.DatasetMethods;
import dev.fairlead.simulator.pool.FilesystemMethods;
import dev.fairlead.simulator.pool.ReplicationMethods;
import dev.fairlead.simulator.pool.ResourceMethods;
import dev.fairlead.simulator.pool.ResourceSnapshots;
import dev.fairlead.simulator.pool.SnapshotMethods;
import dev.fairlead.simulator.pool.SystemMethods;
import dev.fairlead.simulator.pool.Zfs;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.simulator.profile.SimulatorSettings;
import dev.fairlead.simulator.share.EffectiveRows;
import dev.fairlead.simulator.share.NfsMethods;
import dev.fairlead.simulator.share.ServiceMethods;
import dev.fairlead.simulator.share.SmbMethods;
import dev.fairlead.simulator.shell.BoxPrograms;
import dev.fairlead.simulator.shell.BoxShell;
import dev.fairlead.simulator.wire.Front;
import dev.fairlead.simulator.wire.Listener;
import java.nio.file.Path;
import java.util.UUID;

/** Runs a box once, from its start to its end. */
final class Box implements AutoCloseable {
    static final String ROOT_PASSWORD = "simulated";

    private final Profile profile;
    private final Store store;
    private final UserAccounts accounts;
    private final Engine engine;
    private final EffectiveRows effective;
    private final Front front;
    private final Listener listener;
    private final BoxShell shell;

    private Box(
            Profile profile,
            Store store,
            UserAccounts accounts,
            Engine engine,
            EffectiveRows effective,
            Front front,
            Listener listener,
            BoxShell shell) {
        this.profile = profile;
        this.store = store;
        this.accounts = accounts;
        this.engine = engine;
        this.effective = effective;
        this.front = front;
        this.listener = listener;
        this.shell = shell;
    }

    static Box start(
            Profile profile, Path folder, SimulatorSettings settings, RealStorage real, Faults faults, CallLog log) {
        Store store = Store.open(folder, real);
        UserAccounts accounts = new UserAccounts(store, settings.clock());
        FirstStart.seed(store, accounts, settings, real.pools());
        Methods methods = new Methods();
        Events events = new Events(() ->
                faults.strike("event", "").filter(Fault.Lost.class::isInstance).isPresent());
        Jobs jobs = new Jobs(
                settings.threads(),
                settings.clock(),
                settings.jobDelay(),
                (change, job) -> events.tell("core.get_jobs", change, job));
        addMethods(methods, store, accounts, settings, jobs, events);
        EffectiveRows effective = new EffectiveRows(store, real);
        Engine engine =
                new Engine(profile, methods, new ModelCheck(), jobs, faults, log, settings.threads(), effective);
        new BulkCalls(engine).addTo(methods);
        Front front = new Front(
                settings, engine, accounts, events, faults, UUID.randomUUID().toString());
        BoxShell shell =
                BoxShell.start(new BoxPrograms(store, settings.clock()), folder.resolve("bin"), settings.threads());
        return new Box(
                profile, store, accounts, engine, effective, front, Listener.start(folder, settings, front), shell);
    }

    private static void addMethods(
            Methods methods, Store store, UserAccounts accounts, SimulatorSettings settings, Jobs jobs, Events events) {
        Zfs zfs = new Zfs(settings.clock());
        Attachments attachments = new Attachments();
        new CoreMethods(methods, jobs, events).addTo();
        new AuthMethods(accounts, new RateLimit(settings.clock(), settings.rateLimited()), new Scram(accounts))
                .addTo(methods);
        new SystemMethods(store).addTo(methods);
        new DatasetMethods(store, zfs, attachments).addTo(methods);
        new SnapshotMethods(store, zfs).addTo(methods);
        new ResourceMethods(store, zfs, attachments).addTo(methods);
        new ResourceSnapshots(store, zfs).addTo(methods);
        new ReplicationMethods(store, zfs).addTo(methods);
        new FilesystemMethods(store, zfs).addTo(methods);
        new ServiceMethods(store).addTo(methods);
        new NfsMethods(store).addTo(methods, attachments);
        new SmbMethods(store).addTo(methods, attachments);
        addBlock(methods, store, settings, attachments);
    }

    private static void addBlock(Methods methods, Store store, SimulatorSettings settings, Attachments attachments) {
        VolumeDevices volumes = new VolumeDevices(settings.clock(), settings.volumeDelay());
        new GlobalMethods(store).addTo(methods);
        GroupMethods.addTo(methods, store);
        new TargetMethods(store).addTo(methods);
        new ExtentMethods(store, volumes).addTo(methods, attachments);
        new LinkMethods(store).addTo(methods);
        new SubsystemMethods(store).addTo(methods);
        new NamespaceMethods(store, volumes).addTo(methods, attachments);
        FabricMethods.addTo(methods, store);
        FabricLinks.addTo(methods, store);
    }

    Profile profile() {
        return profile;
    }

    Store store() {
        return store;
    }

    UserAccounts accounts() {
        return accounts;
    }

    Engine engine() {
        return engine;
    }

    EffectiveRows effective() {
        return effective;
    }

    Front front() {
        return front;
    }

    BoxShell shell() {
        return shell;
    }

    int port() {
        return listener.port();
    }

    String rootKey() {
        return store.read(tables -> tables.row("secret", "root_key").orElseThrow())
                .get("text")
                .getAsString();
    }

    @Override
    public void close() {
        front.cutAll();
        listener.close();
        shell.close();
        store.close();
    }
}
