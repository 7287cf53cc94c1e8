package dev.fairlead.bootstrap.cli.former;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Takes the flags of LINSTOR's affinity controller that have no meaning here, with a warning, and refuses those that
 * would choose another cluster or another user: to pass over one of them would change the volumes of a wrong cluster.
 */
public final class UnusedFlags {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--resync-rate",
            hidden = true,
            description = "Volumes are watched, and a watch that breaks goes on where it broke.")
    private String resync = "";

    @Option(
            names = {"--request-timeout", "--cache-dir", "--disable-compression"},
            arity = "0..1",
            fallbackValue = "true",
            hidden = true,
            description = "Each request to Kubernetes has a time of its own, and none is kept on disk.")
    private List<String> requests = List.of();

    @Option(
            names = {
                "--add_dir_header",
                "--alsologtostderr",
                "--log_backtrace_at",
                "--log_dir",
                "--log_file",
                "--log_file_max_size",
                "--logtostderr",
                "--one_output",
                "--skip_headers",
                "--skip_log_headers",
                "--stderrthreshold",
                "--vmodule",
                "--add-dir-header",
                "--log-backtrace-at",
                "--log-dir",
                "--log-file",
                "--log-file-max-size",
                "--one-output",
                "--skip-headers",
                "--skip-log-headers"
            },
            arity = "0..1",
            fallbackValue = "true",
            hidden = true,
            description = "The log goes to standard error; -v and NODE_ENV say how.")
    private List<String> logging = List.of();

    @Option(
            names = {
                "--context",
                "--cluster",
                "--user",
                "--server",
                "-s",
                "--token",
                "--username",
                "--password",
                "--as",
                "--as-group",
                "--as-uid",
                "--as-user-extra",
                "--certificate-authority",
                "--client-certificate",
                "--client-key",
                "--tls-server-name"
            },
            hidden = true)
    private List<String> access = List.of();

    @Option(
            names = "--insecure-skip-tls-verify",
            arity = "0..1",
            fallbackValue = "true",
            hidden = true,
            description = "Whether the server is trusted is what the kubeconfig says.")
    private String insecure = "false";

    /**
     * Returns what was asked for and is not done.
     *
     * @param arguments the words of the command line
     */
    public List<String> warnings(List<String> arguments) {
        boolean refused = access.stream().anyMatch(text -> !text.isEmpty()) || !insecure.equals("false");
        if (refused) {
            // The values may be secrets, and are not repeated.
            throw new ParameterException(
                    spec.commandLine(),
                    "--context, --server, --token and the like: another cluster or user than that of the kubeconfig"
                            + " cannot be chosen (expected: --kubeconfig with a file whose current context is meant)");
        }
        List<String> warnings = new ArrayList<>();
        if (!resync.isEmpty()) {
            warnings.add("--resync-rate: has no meaning here; volumes are watched, and listed anew only if a watch"
                    + " cannot go on");
        }
        named(arguments, requests, "--request-timeout")
                .ifPresent(names -> warnings.add(
                        names + ": has no meaning here; each request to Kubernetes has a time of its own"));
        named(arguments, logging, "--logtostderr")
                .ifPresent(names -> warnings.add(
                        names + ": has no meaning here; the log goes to standard error, -v and NODE_ENV say how"));
        return warnings;
    }

    /** Returns those names of an option that stand on the command line; empty if none does. */
    private Optional<String> named(List<String> arguments, List<String> given, String anyName) {
        if (given.isEmpty()) {
            return Optional.empty();
        }
        List<String> names = List.of(spec.findOption(anyName).names());
        return Optional.of(String.join(
                ", ",
                arguments.stream()
                        .map(argument -> argument.split("=", 2)[0])
                        .filter(names::contains)
                        .distinct()
                        .toList()));
    }
}
