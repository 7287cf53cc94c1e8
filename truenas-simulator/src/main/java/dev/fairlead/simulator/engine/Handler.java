package dev.fairlead.simulator.engine;

import com.google.gson.JsonElement;

/** What a method does. */
@FunctionalInterface
public interface Handler {
    /** HttpAnswers a call, or throws how it failed. */
    JsonElement answer(Call call);
}
