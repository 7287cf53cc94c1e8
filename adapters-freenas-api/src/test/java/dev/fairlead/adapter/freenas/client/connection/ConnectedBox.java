package dev.fairlead.adapter.freenas.client.connection;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.client.session.TruenasLogin;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.http.trust.Material;
import dev.fairlead.http.trust.Trust;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.simulator.profile.SimulatorSettings;
import dev.fairlead.testkit.fake.TestWork;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A simulated box with the parent dataset tank/k8s, and the connections that are opened to it over its wire. */
final class ConnectedBox implements AutoCloseable {
    static final String PARENT = "tank/k8s";

    private final Simulator simulator;
    private final TruenasConnections connections =
            new TruenasConnections(task -> Thread.ofPlatform().daemon().unstarted(task));

    private ConnectedBox(Simulator simulator) {
        this.simulator = simulator;
        try (TruenasApi api = open("setup", "tank")) {
            api.change(ApiCall.create(ApiCollection.DATASET, object("name", PARENT)), PARENT, TestWork.patient())
                    .orThrow();
        }
        simulator.clearCalls();
    }

    static ConnectedBox start(Profile profile, Path folder) {
        return new ConnectedBox(Simulator.start(profile, folder));
    }

    static ConnectedBox start(Profile profile, Path folder, SimulatorSettings settings) {
        return new ConnectedBox(Simulator.start(profile, folder, settings));
    }

    Simulator simulator() {
        return simulator;
    }

    /** Opens a connection as root, by its key alone. */
    TruenasApi open(String name) {
        return open(name, PARENT);
    }

    private TruenasApi open(String name, String parent) {
        return connections.open(name, settings(asRoot()), List.of(parent));
    }

    TruenasApi open(String name, TruenasLogin login) {
        return connections.open(name, settings(login), List.of(PARENT));
    }

    TruenasApi open(String name, TruenasSettings settings) {
        return connections.open(name, settings, List.of(PARENT));
    }

    TruenasLogin asRoot() {
        return byKeyAlone(simulator.rootKey());
    }

    static TruenasLogin byKeyAlone(String key) {
        return new TruenasLogin(Optional.empty(), Optional.of(new Secret(key)), Optional.empty());
    }

    static TruenasLogin byKey(String user, String key) {
        return new TruenasLogin(Optional.of(user), Optional.of(new Secret(key)), Optional.empty());
    }

    static TruenasLogin byPassword(String user, String password) {
        return new TruenasLogin(Optional.of(user), Optional.empty(), Optional.of(new Secret(password)));
    }

    TruenasSettings settings(TruenasLogin login) {
        // The certificate bears a name that the address does not have to be: it is believed by itself.
        return new TruenasSettings(URI.create(simulator.url() + "/"), login, new Trust.Anything());
    }

    TruenasSettings trusting(Trust trust) {
        return new TruenasSettings(URI.create(simulator.url() + "/"), asRoot(), trust);
    }

    TruenasSettings plain(TruenasLogin login) {
        return new TruenasSettings(URI.create(simulator.plainUrl() + "/"), login, new Trust.SystemRoots());
    }

    Trust ownRoot() {
        return new Trust.Roots(new Material.Inline(new Secret(simulator.certificate())));
    }

    /** Makes a dataset, which most tests begin with. */
    static void make(TruenasApi api, String name, Work work) {
        api.change(ApiCall.create(ApiCollection.DATASET, object("name", name)), name, work)
                .orThrow();
    }

    static JsonObject object(Object... keysAndValues) {
        var object = new JsonObject();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            String key = (String) keysAndValues[i];
            switch (keysAndValues[i + 1]) {
                case Number number -> object.addProperty(key, number);
                case Boolean flag -> object.add(key, new JsonPrimitive(flag));
                case JsonElement json -> object.add(key, json);
                default -> object.addProperty(key, keysAndValues[i + 1].toString());
            }
        }
        return object;
    }

    @Override
    public void close() {
        simulator.close();
    }
}
