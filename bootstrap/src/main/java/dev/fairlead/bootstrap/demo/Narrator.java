package dev.fairlead.bootstrap.demo;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Where the lines of the demo go. */
interface Narrator {
    void begins(String what);

    /** Something has begun that takes a while; only who watches it is told. */
    void doing(String what);

    /** What is seen after a step, in rows with a cell for each column. */
    void table(List<String> columns, List<List<String>> rows);

    /**
     * Something was done, and proved.
     *
     * @param facts what a program may want to read, such as handles
     */
    void did(String step, String what, Map<String, String> facts, Duration took);

    /** Something could not be shown here. */
    void leftOut(String step, String why);

    /** Something went wrong; the demo ends. */
    void failed(String step, String why);

    void ended(Duration took);
}
