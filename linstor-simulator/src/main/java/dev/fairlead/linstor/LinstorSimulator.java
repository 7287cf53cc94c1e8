package dev.fairlead.linstor;

import static dev.fairlead.linstor.state.LinstorJson.flag;
import static dev.fairlead.linstor.state.LinstorJson.object;
import static dev.fairlead.linstor.state.LinstorJson.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.fairlead.linstor.answer.RestAnswer;
import dev.fairlead.linstor.cluster.Cluster;
import dev.fairlead.linstor.cluster.ClusterEvents;
import dev.fairlead.linstor.cluster.Moves;
import dev.fairlead.linstor.cluster.Placing;
import dev.fairlead.linstor.rest.Controller;
import dev.fairlead.linstor.rest.WireFaults;
import dev.fairlead.linstor.state.LinstorRows;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A simulated LINSTOR that runs in this process and keeps its state in a folder. */
public final class LinstorSimulator implements AutoCloseable {
    private final LinstorRows rows;
    private final Cluster cluster;
    private final WireFaults faults = new WireFaults();
    private final List<String> calls = Controller.callLog();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final int first;
    private final int second;
    private Controller controller;

    private LinstorSimulator(Path folder, int port, int standby, double pace) {
        rows = LinstorRows.open(folder);
        cluster = new Cluster(rows, pace);
        if (pace == 0) cluster.satellites().restart();
        controller = serve(port);
        first = controller.port();
        second = standby;
        Thread.ofVirtual().name("linstor-steps").start(this::advance);
    }

    /**
     * Starts one on the state in a folder, which may be new.
     *
     * @param port 0 for any
     * @param standby the port of a second controller, which takes over when it is told to; 0 for none
     * @param pace how long things take, as a share of what they took on a real one; 0 is at once
     */
    public static LinstorSimulator start(Path folder, int port, int standby, double pace) {
        return new LinstorSimulator(folder, port, standby, pace);
    }

    /** Returns where the controller is that serves now. */
    public synchronized URI url() {
        return URI.create("http://127.0.0.1:" + controller.port());
    }

    /** Returns the calls so far, each with method and path. */
    public List<String> calls() {
        return List.copyOf(calls);
    }

    public void clearCalls() {
        calls.clear();
    }

    /** Arms a fault between the controller and its callers, such as {@code {"kind": "html", "times": 1}}. */
    public void fault(String script) {
        faults.arm(JsonParser.parseString(script).getAsJsonObject());
    }

    /** Disarms all faults. */
    public void mend() {
        faults.clear();
        cluster.events().disorder(false);
    }

    /** Carries out an order, as the program's commands give it: {@code order("hang", "node", "node-2")}. */
    public JsonObject order(String command, Object... namesAndValues) {
        JsonObject order = object(namesAndValues);
        order.addProperty("order", command);
        return carryOut(order);
    }

    private Controller serve(int port) {
        Controller made = new Controller(cluster, faults, port, calls, this::takeOver);
        made.orders(text -> {
            try {
                return RestAnswer.of(200, carryOut(JsonParser.parseString(text).getAsJsonObject()));
            } catch (JsonParseException | IllegalStateException | IllegalArgumentException e) {
                return RestAnswer.of(400, object("error", String.valueOf(e.getMessage())));
            }
        });
        return made;
    }

    private JsonObject carryOut(JsonObject order) {
        String node = text(order, "node");
        JsonObject done = object("ok", true);
        switch (text(order, "order")) {
            case "hang" -> cluster.satellites().hang(node);
            case "lose" -> cluster.satellites().lose(node);
            case "mute" -> cluster.satellites().mute(node);
            case "back" -> {
                cluster.satellites().back(node);
                rows.change(() -> {
                    new Placing(cluster).repair();
                    return true;
                });
            }
            case "drbd" ->
                rows.change(() -> {
                    cluster.drbd(flag(order, "on"));
                    return true;
                });
            case "primary" -> tamper("resource/" + text(order, "resource") + "/" + node, "in_use", flag(order, "on"));
            case "disk" -> tamper("resource/" + text(order, "resource") + "/" + node, "disk", text(order, "state"));
            case "flags" -> tamper("resource/" + text(order, "resource") + "/" + node, "flags", order.get("flags"));
            case "forget" ->
                rows.change(() -> {
                    rows.remove(text(order, "key"));
                    return true;
                });
            case "put" ->
                rows.change(() -> {
                    rows.put(text(order, "key"), order.getAsJsonObject("row"));
                    return true;
                });
            case "fault" -> faults.arm(order.getAsJsonObject("fault"));
            case "mend" -> mend();
            case "disorder" -> cluster.events().disorder(true);
            case "restart" -> cluster.satellites().restart();
            case "failover" -> takeOver();
            case "dump" -> done = rows.dump();
            case "calls" -> {
                JsonArray list = new JsonArray();
                calls.forEach(list::add);
                done.add("calls", list);
            }
            case "down" -> ended.countDown();
            default -> throw new IllegalArgumentException("order: '" + text(order, "order") + "' is none");
        }
        return done;
    }

    private void tamper(String key, String field, Object value) {
        rows.change(() -> {
            JsonObject row =
                    rows.row(key).orElseThrow(() -> new IllegalArgumentException("nothing is at '" + key + "'"));
            object(field, value).entrySet().forEach(entry -> row.add(entry.getKey(), entry.getValue()));
            rows.put(key, row);
            return true;
        });
    }

    /** Returns how many listen now to what happens to nodes, and to what may become primary. */
    public int listening() {
        return cluster.events().listening(ClusterEvents.NODES)
                + cluster.events().listening(ClusterEvents.PROMOTION);
    }

    /** Makes the other controller take over: it has just started, and knows nothing of the satellites. */
    private synchronized void takeOver() {
        int other = controller.port() == first && second != 0 ? second : first;
        Controller former = controller;
        former.close();
        cluster.events().leave();
        cluster.satellites().restart();
        controller = serve(other);
    }

    /** Waits until somebody orders it down. */
    public void await() throws InterruptedException {
        ended.await();
        Thread.sleep(100);
    }

    private void advance() {
        Moves moves = new Moves(cluster);
        try {
            while (ended.getCount() > 0) {
                rows.change(moves::advance);
                Thread.sleep(20);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (IllegalStateException e) {
            if (ended.getCount() > 0) throw e; // otherwise, the state was closed in the middle of a step
        }
    }

    @Override
    public synchronized void close() {
        ended.countDown();
        controller.close();
        rows.close();
    }
}
