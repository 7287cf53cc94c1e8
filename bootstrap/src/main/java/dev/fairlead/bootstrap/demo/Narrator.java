package dev.fairlead.bootstrap.demo;

import java.time.Duration;
import java.util.Map;

/** Where the lines of the demo go. */
interface Narrator {
    void begins(String what);

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
