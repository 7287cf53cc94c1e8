package dev.fairlead.adapter.freenas.client.session;

import com.google.gson.JsonElement;
import dev.fairlead.adapter.freenas.client.ApiErrno;
import dev.fairlead.adapter.freenas.client.FieldError;
import java.util.List;

/** A reply is what a box says to a call, before it is known for which connection it was. */
public sealed interface Reply {
    /** The call was done. */
    record Done(JsonElement value) implements Reply {}

    /** The call was refused for a reason of its own. */
    record Refusal(ApiErrno errno, String text, List<FieldError> fields) implements Reply {
        public Refusal {
            fields = List.copyOf(fields);
        }

        public Refusal(ApiErrno errno, String text) {
            this(errno, text, List.of());
        }
    }

    /** The user may not make this call. */
    record Denied(String text) implements Reply {}
}
