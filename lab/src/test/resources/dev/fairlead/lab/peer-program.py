"""A program that democratic-csi pipes its lines into, killed after a number of them; 0: never.

targetcli is the host's own. nvmetcli, which Debian has no package of, is what that program does to configfs and its file.
Usage: peer-program.py targetcli|nvmetcli LINES <SCRIPT
"""

import json
import os
import runpy
import signal
import sys

ROOT = '/sys/kernel/config/nvmet'
FILE = '/etc/nvmet/config.json'


def killed(count, most):
    if count == most:
        os.kill(os.getpid(), signal.SIGKILL)


def targetcli(most):
    from configshell_fb import shell

    run, counted = shell.ConfigShell.run_cmdline, [0]

    def counting(self, line):
        result = run(self, line)
        counted[0] += 1
        killed(counted[0], most)
        return result

    shell.ConfigShell.run_cmdline = counting
    sys.argv = ['targetcli']
    runpy.run_path('/usr/bin/targetcli', run_name='__main__')


def put(path, value):
    with open(path, 'w') as file:
        file.write(value)


def attributes(path, groups):
    found = {}
    for name in sorted(os.listdir(path)):
        group, _, key = name.partition('_')
        if group in groups:
            with open(f'{path}/{name}') as file:
                found.setdefault(group, {})[key] = file.read().strip()
    return found


def save():
    subsystems = []
    for nqn in os.listdir(f'{ROOT}/subsystems'):
        path = f'{ROOT}/subsystems/{nqn}'
        namespaces = []
        for nsid in os.listdir(f'{path}/namespaces'):
            at = f'{path}/namespaces/{nsid}'
            with open(f'{at}/enable') as enable, open(f'{at}/ana_grpid') as group:
                namespaces.append(attributes(at, ['device']) | {
                    'nsid': int(nsid), 'enable': int(enable.read()), 'ana_grpid': int(group.read())})
        subsystems.append(attributes(path, ['attr']) | {
            'nqn': nqn, 'namespaces': namespaces, 'allowed_hosts': os.listdir(f'{path}/allowed_hosts')})
    ports = [attributes(f'{ROOT}/ports/{port}', ['addr', 'param']) | {
        'portid': int(port), 'subsystems': os.listdir(f'{ROOT}/ports/{port}/subsystems'), 'referrals': [], 'ana_groups': []}
        for port in os.listdir(f'{ROOT}/ports')]
    os.makedirs(os.path.dirname(FILE), exist_ok=True)
    put(FILE + '.temp', json.dumps({'hosts': [], 'ports': ports, 'subsystems': subsystems}, sort_keys=True, indent=2) + '\n')
    os.rename(FILE + '.temp', FILE)


def nvmetcli(most):
    at = ROOT
    for count, line in enumerate(sys.stdin.read().splitlines(), 1):
        word, _, rest = line.partition(' ')
        try:
            if word == 'cd':
                at = ROOT + rest if rest.startswith('/') else f'{at}/{rest}'
            elif word == 'create' and at.startswith(f'{ROOT}/ports'):
                os.symlink(f'{ROOT}/subsystems/{rest}', f'{at}/{rest}')
            elif word == 'create':
                os.mkdir(f'{at}/{rest}')
            elif word == 'set':
                group, assignment = rest.split(' ', 1)
                name, value = assignment.split('=', 1)
                put(f'{at}/{group}_{name}', value)
            elif word == 'enable':
                put(f'{at}/enable', '1')
            elif word == 'saveconfig':
                save()
        except OSError as error:  # as a shell does: the next line is read
            print(error, file=sys.stderr)
        killed(count, most)


{'targetcli': targetcli, 'nvmetcli': nvmetcli}[sys.argv[1]](int(sys.argv[2]))
