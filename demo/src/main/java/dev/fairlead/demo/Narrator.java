package dev.fairlead.demo;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Tells the demo to a person or to a program. */
interface Narrator {
    void begins(String what);

    /** Tells that something has begun that takes a while; only a person who watches is told. */
    void doing(String what);

    /** Shows what is seen after a step, in rows with a cell for each column. */
    void table(List<String> columns, List<List<String>> rows);

    /**
     * Tells that a step was done and verified.
     *
     * @param facts values for a program to read, such as handles
     */
    void did(String step, String what, Map<String, String> facts, Duration took);

    /** Tells that a step could not be shown here. */
    void leftOut(String step, String why);

    /** Tells that a step failed and the demo ends. */
    void failed(String step, String why);

    void ended(Duration took);
}
