package dev.fairlead.simulator.engine;

import com.google.gson.JsonElement;

/** Says what a method does. */
@FunctionalInterface
public interface Handler {
    /** Answers a call, or throws how it failed. */
    JsonElement answer(Call call);
}
