package dev.fairlead.lab.walk;

import dev.fairlead.lab.walk.EnteredClasses.Entry;
import dev.fairlead.lab.walk.EnteredClasses.Frame;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tells how a call went through the packages of the product.
 *
 * <p>A chain of calls enters a package if a class outside of it calls one in it. A package that was given code to run,
 * under a lock or on another thread, is passed through, and so is a library: the chain goes on in the package that gave
 * the code.
 *
 * @param classes the classes in the order in which a method that does something was entered in them. Those that only
 *     compute, in the domain, the ports and the ZFS library, are left out: they do nothing by themselves and call
 *     nobody
 * @param values how many those are
 * @param mainLine the packages of the longest chain of calls that reached the storage, in order
 * @param enteredTwice a chain of calls for each package that it entered twice
 * @param built how many objects of each class were built
 */
public record Route(
        List<String> classes,
        int values,
        List<String> mainLine,
        Map<String, String> enteredTwice,
        Map<String, Integer> built) {
    private static final List<String> VALUES = List.of("domain.", "application.port.", "zfs.");

    /** @param storage the package that reaches the storage */
    static Route of(List<Entry> entries, String storage) {
        Set<String> classes = new LinkedHashSet<>();
        Set<String> values = new LinkedHashSet<>();
        Map<String, String> twice = new TreeMap<>();
        Map<String, Integer> built = new TreeMap<>();
        Map<Long, List<Frame>> begun = new HashMap<>();
        List<String> longest = List.of();
        List<Frame> last = List.of();
        for (Entry entry : entries) {
            if (entry.step()) {
                var _ = (isValue(entry.type()) ? values : classes).add(entry.type());
            }
            if (!entry.built().isEmpty()) {
                var _ = built.merge(entry.built(), 1, Integer::sum);
            }
            List<Frame> before = last;
            last = Stream.concat(
                            begun.computeIfAbsent(entry.thread(), _ -> upToGiving(before, entry.frames())).stream(),
                            entry.frames().stream())
                    .toList();
            List<String> line = line(last, twice);
            if (line.size() > longest.size() && line.getLast().equals(storage)) {
                longest = line;
            }
        }
        return new Route(List.copyOf(classes), values.size(), longest, twice, built);
    }

    /** Returns the calls up to the class that gave another thread what it does. */
    private static List<Frame> upToGiving(List<Frame> calls, List<Frame> thread) {
        String giver = thread.isEmpty() ? "" : thread.getFirst().type();
        for (int i = calls.size() - 1; i >= 0; i--) {
            if (calls.get(i).type().equals(giver)) {
                return List.copyOf(calls.subList(0, i + 1));
            }
        }
        return List.of();
    }

    private static List<String> line(List<Frame> calls, Map<String, String> twice) {
        List<String> line = new ArrayList<>();
        for (Frame call : calls) {
            String room = room(call.type());
            int seen = line.indexOf(room);
            if (seen >= 0 && call.given()) {
                line.subList(seen + 1, line.size()).clear();
            } else if (!isValue(call.type())
                    && (line.isEmpty() || !line.getLast().equals(room))) {
                if (seen >= 0) {
                    var _ = twice.putIfAbsent(
                            room, calls.stream().map(Frame::type).distinct().collect(Collectors.joining(" > ")));
                }
                var _ = line.add(room);
            }
        }
        return line;
    }

    private static boolean isValue(String type) {
        return VALUES.stream().anyMatch(type::startsWith);
    }

    private static String room(String type) {
        return type.substring(0, type.lastIndexOf('.'));
    }

    /** Returns the packages in the order in which their first classes were entered. */
    public List<String> rooms() {
        return classes.stream().map(Route::room).distinct().toList();
    }

    /** Returns the numbers in words, as the documentation has them. */
    public String numbers() {
        return "%d classes in %d packages".formatted(classes.size(), rooms().size());
    }

    /** Returns the classes by package, the main line, and the numbers. */
    public String text() {
        String byRoom = rooms().stream()
                .map(room -> room
                        + classes.stream()
                                .filter(type -> room(type).equals(room))
                                .map(type -> type.substring(type.lastIndexOf('.') + 1))
                                .collect(Collectors.joining(", ", "\n    ", "\n")))
                .collect(Collectors.joining());
        return "%s%nmain line: %s%nentered twice: %s%nbuilt: %s%n%s, and %d that only compute"
                .formatted(byRoom, String.join(" > ", mainLine), enteredTwice, built, numbers(), values);
    }
}
