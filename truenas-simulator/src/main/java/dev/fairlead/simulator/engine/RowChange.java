package dev.fairlead.simulator.engine;

import com.google.gson.JsonObject;
import java.util.Optional;

/** Describes how one row changes: nothing before means that it is new, nothing after that it goes. */
public record RowChange(String table, String key, Optional<JsonObject> before, Optional<JsonObject> after) {}
