package dev.fairlead.adapter.freenas.fake;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.application.port.out.SharedClient;
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
import dev.fairlead.simulator.core.CoreMethods;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.engine.Attachments;
import dev.fairlead.simulator.engine.Caller;
import dev.fairlead.simulator.engine.Engine;
import dev.fairlead.simulator.engine.Events;
import dev.fairlead.simulator.engine.Jobs;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Methods;
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
import dev.fairlead.simulator.share.EffectiveRows;
import dev.fairlead.simulator.share.NfsMethods;
import dev.fairlead.simulator.share.ServiceMethods;
import dev.fairlead.simulator.share.SmbMethods;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;

/** A simulated box whose calls are made without a wire. */
public final class SimulatedBox implements AutoCloseable {
    /** The bytes that ZFS keeps for itself of a volume, and those of a block. */
    private static final long OVERHEAD = 28 << 10;

    private static final long BLOCK = 16 << 10;

    public static final String PARENT = "tank/k8s/v";

    private final Store store;
    private final EffectiveRows effective;
    private final Faults faults = new Faults();
    private final CallLog log = new CallLog();
    private final Engine engine;
    private final Profile profile;
    private final Semaphore mayCome = new Semaphore(0);
    private volatile boolean isAway;

    public SimulatedBox(Profile profile, Path folder) {
        this.profile = profile;
        this.store = Store.open(folder);
        this.effective = new EffectiveRows(store);
        var methods = new Methods();
        var zfs = new Zfs(Clock.systemUTC());
        var attachments = new Attachments();
        var events = new Events(() -> false);
        var threads = Thread.ofVirtual().factory();
        var jobs = new Jobs(threads, Clock.systemUTC(), Duration.ofMillis(1), (_, _) -> {});
        new CoreMethods(methods, jobs, events).addTo();
        new SystemMethods(store).addTo(methods);
        new DatasetMethods(store, zfs, attachments).addTo(methods);
        new SnapshotMethods(store, zfs).addTo(methods);
        new ResourceMethods(store, zfs, attachments).addTo(methods);
        new ResourceSnapshots(store, zfs).addTo(methods);
        new ReplicationMethods(store, zfs).addTo(methods);
        new FilesystemMethods(store, zfs).addTo(methods);
        new NfsMethods(store).addTo(methods, attachments);
        addExports(methods, attachments);
        this.engine = new Engine(profile, methods, new ModelCheck(), jobs, faults, log, this::late, effective);
        store.update(BoxRows::addParents);
    }

    private void addExports(Methods methods, Attachments attachments) {
        var volumes = new VolumeDevices(Clock.systemUTC(), Duration.ZERO);
        new ServiceMethods(store).addTo(methods);
        new SmbMethods(store).addTo(methods, attachments);
        new GlobalMethods(store).addTo(methods);
        GroupMethods.addTo(methods, store);
        new TargetMethods(store).addTo(methods);
        new ExtentMethods(store, volumes).addTo(methods, attachments);
        new LinkMethods(store).addTo(methods);
        new SubsystemMethods(store).addTo(methods);
        new NamespaceMethods(store, volumes).addTo(methods, attachments);
        FabricMethods.addTo(methods, store);
        FabricLinks.addTo(methods, store);
        store.update(BoxRows::addExports);
    }

    /** Returns the rows of a table. */
    public List<JsonObject> rows(String table) {
        return store.read(tables -> tables.rows(table));
    }

    /** Returns the rows of a service's table as the service has loaded them. */
    public List<JsonObject> effective(String table) {
        return effective.view().rows(table);
    }

    /** Puts a row behind the API's back, with a number of its own. */
    public void put(String table, JsonObject row) {
        store.update(tables -> {
            row.addProperty("id", tables.nextId(table));
            tables.put(table, row);
        });
        effective.reload();
    }

    /** Makes a dataset without a store. */
    public void putDataset(String name, String type, JsonObject user) {
        store.update(tables -> BoxRows.addDataset(tables, name, type, user));
    }

    public void removeDataset(String name) {
        store.update(tables -> tables.remove("dataset", name));
    }

    /** Does a call that was cut before, as a box does late; what it refuses then is of no account. */
    public void doLate(String method) {
        CallLog.Entry cut = log.entries().stream()
                .filter(entry ->
                        entry.method().equals(method) && !entry.outcome().equals("ok"))
                .reduce((_, last) -> last)
                .orElseThrow();
        var caller = new Caller("127.0.0.1", true, _ -> {});
        caller.becomes(new Caller.Identity("root", Set.of("FULL_ADMIN"), 0));
        try {
            var _ = engine.call(caller, profile, method, cut.params().deepCopy());
        } catch (ApiFailure e) { // as of a call for what is gone by then
            log.add(new CallLog.Entry(method, "root", cut.params(), "late failure: " + e.reason(), 0, cut.read()));
        }
    }

    /** Takes the box away, or brings it back. */
    public void away(boolean gone) {
        isAway = gone;
    }

    boolean isAway() {
        return isAway;
    }

    public Profile profile() {
        return profile;
    }

    Engine engine() {
        return engine;
    }

    /** Returns a client that is shared by nobody else. */
    public SharedClient<TruenasApi> client() {
        return shared(new EngineApi(this, _ -> {}));
    }

    /** Returns the client of another connection to the box. */
    public SharedClient<TruenasApi> client(String connection) {
        return shared(new EngineApi(connection, this, _ -> {}));
    }

    private static SharedClient<TruenasApi> shared(TruenasApi api) {
        return new SharedClient<>() {
            @Override
            public TruenasApi get() {
                return api;
            }

            @Override
            public void close() {}
        };
    }

    /** Makes a call as an administrator does. */
    public void call(String method, Object argument) {
        var arguments = new JsonArray();
        arguments.add(new Gson().toJsonTree(argument));
        var root = new Caller("127.0.0.1", true, _ -> {});
        root.becomes(new Caller.Identity("root", Set.of("FULL_ADMIN"), 0));
        engine.call(root, profile, method, arguments);
    }

    /** Returns a client before whose first call of a method something else happens. */
    public SharedClient<TruenasApi> interrupted(String method, Runnable action) {
        var once = new AtomicBoolean();
        return shared(new EngineApi(this, name -> {
            if (name.equals(method) && !once.getAndSet(true)) {
                action.run();
            }
        }));
    }

    /** Returns a client before each of whose calls of a method something happens, which is told the call's number. */
    public SharedClient<TruenasApi> before(String method, IntConsumer action) {
        var calls = new AtomicInteger();
        return shared(new EngineApi(this, name -> {
            if (name.equals(method)) {
                action.accept(calls.incrementAndGet());
            }
        }));
    }

    /** Returns a client before each of whose calls something happens, which is told the call's method. */
    public SharedClient<TruenasApi> watched(Consumer<String> action) {
        return shared(new EngineApi(this, action));
    }

    public void fault(Fault fault) {
        faults.arm(fault);
    }

    public void clearFaults() {
        faults.clear();
    }

    /** Returns the names of the calls that changed or asked something, since they were forgotten last. */
    public List<String> calls() {
        return log.entries().stream().map(CallLog.Entry::method).toList();
    }

    public List<CallLog.Entry> entries() {
        return log.entries();
    }

    private Thread late(Runnable change) {
        return Thread.ofVirtual().unstarted(() -> {
            mayCome.acquireUninterruptibly();
            mayCome.release();
            change.run();
        });
    }

    /** Lets a change whose call was cut come, which does not before, and waits until it has taken effect, or failed. */
    public void awaitLate() {
        mayCome.release();
        Instant end = Instant.now().plusSeconds(30);
        while (log.entries().stream().noneMatch(entry -> entry.outcome().startsWith("late "))) {
            if (Instant.now().isAfter(end)) {
                throw new AssertionError("no late change came");
            }
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
    }

    public void forgetCalls() {
        log.clear();
    }

    /** Returns the names of all datasets and snapshots but the pool and the parents. */
    public Set<String> left() {
        Set<String> names = new TreeSet<>();
        store.read(tables -> {
            for (String table : List.of("dataset", "snapshot")) {
                tables.rows(table).forEach(row -> names.add(JsonTools.text(row, "name")));
            }
            return names;
        });
        names.removeAll(List.of("tank", "tank/k8s", PARENT));
        return names;
    }

    /** Returns those of these properties that are set on a dataset itself, as ZFS keeps them. */
    public Map<String, String> own(String dataset, Set<String> keys) {
        return store.read(tables -> {
            JsonObject set = JsonTools.child(tables.row("dataset", dataset).orElseThrow(), "props");
            Map<String, String> own = new TreeMap<>();
            keys.stream()
                    .filter(set::has)
                    .forEach(key -> own.put(key, set.get(key).getAsString()));
            return own;
        });
    }

    /** Returns the rows of the NFS shares. */
    public List<JsonObject> shares() {
        return store.read(tables -> tables.rows("nfs_share"));
    }

    /** Changes a row behind the API's back; an empty row removes it. */
    public void tamper(String table, String key, UnaryOperator<JsonObject> change) {
        store.update(tables -> tables.row(table, key).ifPresent(row -> {
            JsonObject changed = change.apply(row.deepCopy());
            if (changed.isEmpty()) {
                tables.remove(table, key);
            } else {
                tables.put(table, key, changed);
            }
        }));
        effective.reload();
    }

    public JsonObject dump() {
        return store.read(tables -> tables.dump());
    }

    /** Writes a file of a dataset. */
    public void write(String dataset, String file, String text) {
        tamper("dataset", dataset, row -> {
            JsonObject content = Optional.ofNullable(row.get("content"))
                    .filter(it -> it.isJsonObject())
                    .map(it -> it.getAsJsonObject())
                    .orElseGet(JsonObject::new);
            content.addProperty(file, text);
            row.add("content", content);
            row.addProperty("data", Math.max(JsonTools.number(row, "data", 0), OVERHEAD) + blocks(text));
            return row;
        });
    }

    private static long blocks(String text) {
        return (text.length() / BLOCK + 1) * BLOCK;
    }

    public Optional<String> read(String dataset, String file) {
        return store.read(tables -> tables.row("dataset", dataset))
                .map(row -> row.get("content"))
                .filter(it ->
                        it != null && it.isJsonObject() && it.getAsJsonObject().has(file))
                .map(it -> it.getAsJsonObject().get(file).getAsString());
    }

    @Override
    public void close() {
        store.close();
    }
}
