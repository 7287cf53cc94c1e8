package dev.fairlead.simulator.share;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.encryption.LockedDatasets;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Tables;
import java.math.BigInteger;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Judges who is let in by what is exported: an empty list, and a group that is gone, let everybody in. */
public final class Admission {
    private static final long LIO = 2;

    private final Tables tables;

    /** Makes it on a state. */
    public Admission(Tables tables) {
        this.tables = tables;
    }

    /** Tells whether a host may mount a path by NFS. */
    public boolean nfs(String path, String address) {
        return runs("nfs")
                && !LockedDatasets.holdsPath(tables, path)
                && tables.rows(NfsMethods.SHARES).stream()
                        .filter(row -> NfsMethods.paths(row).contains(path) && JsonTools.flag(row, "enabled", true))
                        .anyMatch(row ->
                                everybody(row) || listed(row, "hosts", address) || listed(row, "networks", address));
    }

    private static boolean everybody(JsonObject row) {
        return JsonTools.list(row, "hosts").isEmpty()
                && JsonTools.list(row, "networks").isEmpty();
    }

    /** Tells whether a host may use an SMB share: one that it has connected to before, it may go on with. */
    public boolean smb(String name, String address) {
        return runs("cifs") && (isConnected(name, address) || mayConnect(name, address));
    }

    private boolean isConnected(String name, String address) {
        return tables.rows(SmbSessions.TABLE).stream()
                .filter(SmbSessions::isOn)
                .filter(session -> JsonTools.text(session, "share").equalsIgnoreCase(name))
                .anyMatch(session -> JsonTools.text(session, "host").equals(address));
    }

    /** Tells whether a host that is not connected may connect. */
    boolean mayConnect(String name, String address) {
        return tables.rows(SmbMethods.SHARES).stream()
                .filter(row -> JsonTools.text(row, "name").equalsIgnoreCase(name))
                .filter(row -> JsonTools.flag(row, "enabled", true))
                .filter(row -> !LockedDatasets.holdsPath(tables, JsonTools.text(row, "path")))
                .map(row -> JsonTools.child(row, "options"))
                .anyMatch(options -> isAllowed(options, address));
    }

    /** Tells it as Samba does: who is in the list of those who are allowed is let in though it is denied too. */
    private static boolean isAllowed(JsonObject options, String address) {
        boolean allows = !JsonTools.list(options, "hostsallow").isEmpty();
        boolean denies = !JsonTools.list(options, "hostsdeny").isEmpty();
        if (allows && listed(options, "hostsallow", address)) return true;
        return denies ? !isDenied(options, address) : !allows;
    }

    private static boolean isDenied(JsonObject options, String address) {
        return JsonTools.list(options, "hostsdeny").contains(JsonTools.of("ALL"))
                || listed(options, "hostsdeny", address);
    }

    /** Tells whether an initiator may log in to a target. */
    public boolean iscsi(String target, String initiator) {
        return runs("iscsitarget") && groups(target).anyMatch(group -> group(group, initiator));
    }

    /** Tells whether the box's iSCSI target is LIO. */
    public boolean isLio() {
        return tables.row("iscsi_global", "config")
                .filter(row -> JsonTools.number(row, "mode", 0) == LIO)
                .isPresent();
    }

    private boolean group(JsonObject group, String initiator) {
        long id = JsonTools.number(group, "initiator", 0);
        JsonArray named = tables.row("iscsi_initiator", id)
                .map(row -> JsonTools.list(row, "initiators"))
                .orElseGet(JsonArray::new);
        return named.isEmpty() ? !isLio() || !asksChap(group) : named.contains(JsonTools.of(initiator));
    }

    // LIO keeps what it asks of an initiator beside its name: of one without a name it asks what nobody can answer.
    private boolean asksChap(JsonObject group) {
        return !JsonTools.text(group, "authmethod", "NONE").equals("NONE")
                && tables.rows("iscsi_auth").stream()
                        .anyMatch(row -> JsonTools.number(row, "tag", 0) == JsonTools.number(group, "auth", 0));
    }

    /** Tells whether LIO lets an initiator in by its name, so that its session ends when it is named no more. */
    boolean names(String target, String initiator) {
        return groups(target)
                .flatMap(group -> tables.row("iscsi_initiator", JsonTools.number(group, "initiator", 0)).stream())
                .anyMatch(row -> JsonTools.list(row, "initiators").contains(JsonTools.of(initiator)));
    }

    /** Tells whether there is a target at all, for LIO: one without groups is none. */
    boolean isReached(String target) {
        return groups(target).findAny().isPresent();
    }

    private Stream<JsonObject> groups(String target) {
        return tables.rows("iscsi_target").stream()
                .filter(row -> JsonTools.text(row, "name").equals(target))
                .flatMap(row -> JsonTools.list(row, "groups").asList().stream())
                .map(JsonElement::getAsJsonObject);
    }

    /** Tells whether a host may connect to a subsystem at some port. */
    public boolean nvme(String subsystem, String host) {
        return runs("nvmet")
                && tables.rows("nvmet_subsys").stream()
                        .filter(row -> JsonTools.text(row, "subnqn").equals(subsystem))
                        .filter(row -> linked("nvmet_port_subsys", row))
                        .anyMatch(row -> JsonTools.flag(row, "allow_any_host", false) || named(row, host));
    }

    private boolean linked(String table, JsonObject subsystem) {
        return tables.rows(table).stream()
                .anyMatch(link -> link.get("subsys_id").getAsLong() == id(subsystem));
    }

    private boolean named(JsonObject subsystem, String host) {
        return tables.rows("nvmet_host_subsys").stream()
                .filter(link -> link.get("subsys_id").getAsLong() == id(subsystem))
                .flatMap(link -> tables.row("nvmet_host", link.get("host_id").getAsLong()).stream())
                .anyMatch(row -> JsonTools.text(row, "hostnqn").equals(host));
    }

    private static long id(JsonObject row) {
        return row.get("id").getAsLong();
    }

    private boolean runs(String service) {
        return tables.rows("service").stream()
                .anyMatch(row -> JsonTools.text(row, "service").equals(service)
                        && JsonTools.text(row, "state").equals("RUNNING"));
    }

    private static boolean listed(JsonObject row, String member, String address) {
        List<String> entries = StreamSupport.stream(JsonTools.list(row, member).spliterator(), false)
                .map(JsonElement::getAsString)
                .toList();
        return entries.stream().anyMatch(entry -> entry.equals(address) || within(entry, address));
    }

    private static boolean within(String network, String address) {
        int slash = network.indexOf('/');
        if (slash < 0) return false;
        InetAddress base = InetAddress.ofLiteral(network.substring(0, slash));
        InetAddress host = InetAddress.ofLiteral(address);
        int bits = base.getAddress().length * 8;
        int shift = bits - Integer.parseInt(network.substring(slash + 1));
        return host.getAddress().length * 8 == bits
                && new BigInteger(1, base.getAddress())
                        .shiftRight(shift)
                        .equals(new BigInteger(1, host.getAddress()).shiftRight(shift));
    }
}
