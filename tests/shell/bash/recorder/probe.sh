# Tries to get out of the sandbox: each word says whether it could.
could() { if eval "$2" 2>/dev/null; then words+=("$1=yes"); else words+=("$1=no"); fi; }
words=()
could read-system-files '[[ -e /etc/passwd || -e /root || -e /usr/bin/env.real || -e /var ]]'
could write-system-files ': >/usr/lib/probe || : >/lib/probe || : >/recorder/probe'
could see-processes '(($(ls -d /proc/[0-9]* | wc -l) > 20))'
could see-network '(($(grep -c : /proc/net/dev) > 1)) || : >/dev/tcp/127.0.0.1/22'
could run-python '[[ $(/usr/bin/python3 -c "print(42)") ]] || [[ $(/usr/bin/env python3 -c "print(42)") ]]'
could see-environment '[[ ${SECRET_OF_THE_CALLER-} ]]'
python3 -m probe "${words[@]}"
