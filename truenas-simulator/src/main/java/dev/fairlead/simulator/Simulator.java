package dev.fairlead.simulator;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.Caller;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.RealStorage;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.failure.CallLog;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.failure.Faults;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.simulator.profile.SimulatorSettings;
import dev.fairlead.simulator.share.Admission;
import dev.fairlead.simulator.share.SpareGroups;
import dev.fairlead.simulator.shell.SshFace;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** A simulated box that runs in this process and keeps its state in a folder. */
public final class Simulator implements AutoCloseable {
    private static final List<String> OF_THE_POOL = List.of("dataset", "snapshot", "pool");

    private final Path folder;
    private final SimulatorSettings settings;
    private final RealStorage real;
    private final Faults faults = new Faults();
    private final CallLog log = new CallLog();
    private Box box;

    private Simulator(Profile profile, Path folder, SimulatorSettings settings, RealStorage real) {
        this.folder = folder;
        this.real = real;
        Box first = Box.start(profile, folder, settings, real, faults, log);
        this.box = first;
        this.settings = settings.withPort(first.port());
    }

    /** Starts a box with the settings that most tests want. */
    public static Simulator start(Profile profile, Path folder) {
        return start(profile, folder, SimulatorSettings.standard());
    }

    /** Starts a box of a release on the state in a folder, which may be new. */
    public static Simulator start(Profile profile, Path folder, SimulatorSettings settings) {
        return new Simulator(profile, folder, settings, RealStorage.NONE);
    }

    /** Starts one whose datasets and exports are also made on a real pool. */
    public static Simulator start(Profile profile, Path folder, SimulatorSettings settings, RealStorage real) {
        return new Simulator(profile, folder, settings, real);
    }

    /** Returns where it is by TLS, such as https://127.0.0.1:4711. */
    public URI url() {
        return URI.create("https://127.0.0.1:" + port());
    }

    /** Returns where it is by plain text, at the same port. */
    public URI plainUrl() {
        return URI.create("http://127.0.0.1:" + port());
    }

    /** Returns its port, which stays over restarts and upgrades. */
    public int port() {
        return settings.port();
    }

    /** Returns its certificate as PEM, which signs itself. */
    public String certificate() {
        try {
            return Files.readString(folder.resolve("tls.pem"));
        } catch (IOException e) {
            throw new IllegalStateException("The folder of the simulated box fails", e);
        }
    }

    /** Returns the key of the administrator "root", which was made at the first start. */
    public String rootKey() {
        return box.rootKey();
    }

    /** Returns the password of the administrator "root". */
    public String rootPassword() {
        return Box.ROOT_PASSWORD;
    }

    /** Adds a user with these roles, or changes its password and roles. */
    public synchronized void user(String name, String password, Set<String> roles) {
        box.accounts().user(name, password, roles);
    }

    /** Makes a key of a user and returns its text. */
    public synchronized String key(String user) {
        return box.accounts().key(user);
    }

    /** Adds an empty pool of this many bytes, as an administrator does. */
    public synchronized void pool(String name, long size) {
        box.store().update(tables -> FirstStart.pool(tables, name, size, settings));
    }

    /** Revokes a key, as an administrator does. */
    public synchronized void revokeKey(String key) {
        box.accounts().revoke(idOf(key), "Revoked by an administrator");
    }

    /** Deletes a key, as an administrator does. */
    public synchronized void deleteKey(String key) {
        box.accounts().deleteKey(idOf(key));
    }

    private static long idOf(String key) {
        return Long.parseLong(key.substring(0, key.indexOf('-')));
    }

    /** Arms a fault. */
    public void fault(Fault fault) {
        faults.arm(fault);
    }

    /** Disarms all faults. */
    public void clearFaults() {
        faults.clear();
    }

    /** Returns how many calls were struck since the faults were disarmed, those included that are still waiting. */
    public int strikes() {
        return faults.strikes();
    }

    /** Returns all calls since the start of this object, with secrets concealed. */
    public List<CallLog.Entry> calls() {
        return log.entries();
    }

    /** Forgets the calls so far. */
    public void clearCalls() {
        log.clear();
    }

    /** Returns the whole state: tables by name, rows by key. */
    public synchronized JsonObject dump() {
        return box.store().read(tables -> tables.dump());
    }

    /** Changes a row behind the API's back, as an administrator or a damage does; no row removes it. */
    public synchronized void tamper(String table, String key, UnaryOperator<JsonObject> change) {
        box.store()
                .update(tables -> tables.row(table, key).ifPresent(row -> {
                    JsonObject changed = change.apply(row.deepCopy());
                    if (changed.isEmpty()) tables.remove(table, key);
                    else tables.put(table, key, changed);
                }));
        box.effective().reload();
    }

    /** Returns the box's configuration, as an administrator saves it: all but what lies in the pool. */
    public JsonObject configuration() {
        JsonObject saved = dump();
        OF_THE_POOL.forEach(saved::remove);
        return saved;
    }

    /** Restores a configuration that was saved: rows are as they were, and numbers are handed out again. */
    public synchronized void restore(JsonObject saved) {
        box.store().update(tables -> replace(tables, configuration(), saved));
        box.effective().reload();
    }

    /** Makes the whole state what a dump says, pool and all, so that one box serves many tests. */
    public synchronized void become(JsonObject dump) {
        box.store().update(tables -> replace(tables, tables.dump(), dump.deepCopy()));
        box.effective().reload();
    }

    private static void replace(Tables tables, JsonObject now, JsonObject by) {
        now.entrySet()
                .forEach(table ->
                        table.getValue().getAsJsonObject().keySet().forEach(key -> tables.remove(table.getKey(), key)));
        by.entrySet()
                .forEach(table -> table.getValue()
                        .getAsJsonObject()
                        .entrySet()
                        .forEach(row -> tables.put(
                                table.getKey(), row.getKey(), row.getValue().getAsJsonObject())));
    }

    /** Judges who is let in by what the services have loaded. */
    public synchronized <T> T admission(Function<Admission, T> question) {
        return question.apply(new Admission(box.effective().view()));
    }

    /** Judges who is let in by what the rows say, whether the services have loaded them or not. */
    public synchronized <T> T admissionByRows(Function<Admission, T> question) {
        return box.store().read(tables -> question.apply(new Admission(tables)));
    }

    /** Lists what is half-made or left behind: nothing, after each scenario. */
    public List<String> broken() {
        return new Invariants(dump()).broken();
    }

    /** Lists the tables of which a service has loaded other rows than there are. */
    public synchronized List<String> unloaded() {
        return box.effective().behind();
    }

    /** Lists which of these initiators a call that was cut may still let in to a target, by a group that is spare. */
    public synchronized List<String> lateAccess(Set<String> nodes) {
        return new SpareGroups(box.effective().view()).wrong(nodes);
    }

    /** Opens a session of an initiator with a target, so that it is in use. */
    public synchronized void logIn(String target, String initiator) {
        box.store()
                .update(tables -> tables.put(
                        "iscsi_session",
                        JsonTools.object(
                                "id", tables.nextId("iscsi_session"), "target", target, "initiator", initiator)));
    }

    /** Opens a session of a host with an SMB share. */
    public synchronized void connect(String share, String host) {
        box.store()
                .update(tables -> tables.put(
                        "smb_session",
                        JsonTools.object("id", tables.nextId("smb_session"), "share", share, "host", host)));
    }

    /** Opens the same of a host that comes back at once, whenever its session is ended and the share lets it in. */
    public synchronized void connectForEver(String share, String host) {
        box.store()
                .update(tables -> tables.put(
                        "smb_session",
                        JsonTools.object(
                                "id", tables.nextId("smb_session"), "share", share, "host", host, "returns", true)));
    }

    /** Writes data to a dataset, as a node does: what it refers to grows, and its content is another. */
    public synchronized void write(String dataset, long bytes, String content) {
        tamper("dataset", dataset, row -> {
            row.addProperty("data", JsonTools.number(row, "data", 0) + bytes);
            row.addProperty("content", content);
            return row;
        });
    }

    /** Makes a call as its administrator on its own console does; returns the result, or the number of the job. */
    public synchronized JsonElement call(String method, JsonArray params) {
        Caller console = new Caller("127.0.0.1", true, event -> {});
        console.becomes(new Caller.Identity("root", Set.of("FULL_ADMIN"), 0));
        return box.engine().call(console, box.profile(), method, params).result();
    }

    /** Returns the folder of its programs, which stays over restarts: zfs and its like, for the path of a shell. */
    public synchronized Path programs() {
        return box.shell().bin();
    }

    /** Lets its administrator "root" in by SSH, with the password; 0 for any free port. */
    public synchronized SshFace openSsh(int port) {
        return SshFace.start(box.shell(), folder, port, "root", rootPassword());
    }

    /** Returns how many sockets are open. */
    public synchronized int sockets() {
        return box.front().sockets();
    }

    /** Cuts all sockets. */
    public synchronized void cutConnections() {
        box.front().cutAll();
    }

    /** Ends the box at once, as a power cut does, until it is started again. */
    public synchronized void stop() {
        box.close();
    }

    /** Starts it again at the same port with the same state; what was logged in is not. */
    public synchronized void restart() {
        upgrade(box.profile());
    }

    /** Ends it and starts it as another release with the same state. */
    public synchronized void upgrade(Profile profile) {
        box.close();
        box = Box.start(profile, folder, settings, real, faults, log);
    }

    /** Returns which release it is. */
    public synchronized Profile profile() {
        return box.profile();
    }

    @Override
    public synchronized void close() {
        box.close();
    }
}
