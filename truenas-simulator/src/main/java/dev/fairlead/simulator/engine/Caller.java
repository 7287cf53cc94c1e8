package dev.fairlead.simulator.engine;

import com.google.gson.JsonObject;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** One connection or one request: where it comes from, who it is, and how events reach it. */
public final class Caller {
    private final String address;
    private final boolean encrypted;
    private final Consumer<JsonObject> events;
    private final AtomicReference<Identity> identity = new AtomicReference<>(Identity.NOBODY);
    private final AtomicBoolean gone = new AtomicBoolean();

    /** Makes a caller who is nobody yet. */
    public Caller(String address, boolean encrypted, Consumer<JsonObject> events) {
        this.address = address;
        this.encrypted = encrypted;
        this.events = events;
    }

    /** Says who a caller is, with which roles, and by which key. */
    public record Identity(String user, Set<String> roles, long key) {
        /** The caller before the login. */
        public static final Identity NOBODY = new Identity("", Set.of(), 0);
    }

    /** Returns where it comes from. */
    public String address() {
        return address;
    }

    /** Tells whether nobody can read along. */
    public boolean encrypted() {
        return encrypted;
    }

    /** Returns who it is. */
    public Identity identity() {
        return identity.get();
    }

    /** Tells whether it is logged in. */
    public boolean known() {
        return !identity().user().isEmpty();
    }

    /** Makes it somebody else. */
    public void becomes(Identity who) {
        identity.set(who);
    }

    /** Notes that it has gone. */
    public void leave() {
        gone.set(true);
    }

    /** Tells whether it has gone. */
    public boolean gone() {
        return gone.get();
    }

    /** Tells it an event. */
    public void tell(JsonObject event) {
        events.accept(event);
    }
}
