"""Simplified Chinese.  Values, keys and code stay as they are."""

from __future__ import annotations

from collections.abc import Mapping

CATALOGUE: Mapping[str, str] = {
    # what checks say
    "Remove the blanks after the backslash on line {line}": "删除第 {line} 行反斜杠后面的空白",
    "blank line": "空行",
    "comment": "注释",
    "Remove the {what} after line {line}, so that the command goes on": "删除第 {line} 行后面的{what}，使命令得以继续",
    "Hydra cannot read {text} as an override{branch} and the run ends there: {message}.": (
        "Hydra 无法把 {text} 解析为 override{branch}，运行到此终止：{message}。"
    ),
    "never reaches the command": "永远传不到命令",
    " Set {setting}.": "请设置 {setting}。",
    ", where {when},": "（在 {when} 时）",
    " and ": "、",
    "{setting} is refused at start{branch}: {symbol}{condition} requires {requires} ({path}:{line}), and here "
    "{numbers}.{advice}": (
        "{setting} 在启动时就会报错{branch}：{symbol}{condition} 要求 {requires}（{path}:{line}），而这里 {numbers}。{advice}"
    ),
    "Set {key}={value} on line {line}": "在第 {line} 行设置 {key}={value}",
    "{key} is never set{branch}, and {module} has no default for it ({MANDATORY}): the run ends where it is first "
    "read. Set it to one of {names}.": (
        "{key} 从未设置{branch}，而 {module} 没有给它默认值（{MANDATORY}）：首次读取时运行就会终止。请设为 {names} 之一。"
    ),
    "{setting} is refused at start{branch}: {why}.{advice}": "{setting} 在启动时就会报错{branch}：{why}。{advice}",
    "{node} becomes a {symbol} ({path}:{line}), which has no field {name}": (
        "{node} 会变成 {symbol}（{path}:{line}），而它没有字段 {name}"
    ),
    "the config has no such key, and {why}": "配置中没有这个键，而且 {why}",
    "takes part": "与此有关",
    "Delete the override on line {line}": "删除第 {line} 行的 override",
    " ({release} is the last seen that does, with {default} as its default)": (
        "（已查看的版本中最后一个认识它的是 {release}，当时默认值为 {default}）"
    ),
    "Delete {name} on line {line}": "删除第 {line} 行的 {name}",
    "has no effect: {said}, {none} knows it{last}.": "不起作用：{said}，{none}{last}。",
    " ({release} is the last seen that does)": "（已查看的版本中最后一个认识它的是 {release}）",
    "{key} is {value}": "{key} 为 {value}",
    " while {parts}": "（此时 {parts}）",
    "sets {name} to {value}": "会把 {name} 设为 {value}",
    " The engine argument {argument} is set instead now.": "现在改用引擎参数 {argument}。",
    "has no effect: {device_key} is {device}, where {backend} runs with {name}, which decides by itself and never "
    "looks at it.": "不起作用：{device_key} 为 {device}，此时 {backend} 搭配 {name} 运行，后者自行决定，从不查看它。",
    "repeats a default: {place} {by_itself} where it is not set ({at})": (
        "重复了默认行为：未设置时{place} {by_itself}（{at}）"
    ),
    "what {module} gives its workers": "{module} 传给 worker 的环境",
    "{text}{branch} {why} Delete it.": "{text}{branch} {why} 请删除。",
    "is not needed: {place} {by_itself} in any case ({at})": "没有必要：{place}无论如何 {by_itself}（{at}）",
    "is lost: {place} {by_itself} whatever it is before ({at})": "会丢失：不论之前是什么，{place} {by_itself}（{at}）",
    "which no longer": "该版本已不再认识它",
    "and no release of {name} that this allows": "而所允许的 {name} 版本都不认识它",
    "{setting} never has an effect: only the {backend} server reads it, and {symbol} writes {argument} again after it "
    "has read the engine arguments ({path}:{line}), as {value}. Delete it, or set what that is made from.": (
        "{setting} 永远不起作用：只有 {backend} 服务会读取它，而 {symbol} 在读完引擎参数之后又把 {argument} 写为 "
        "{value}（{path}:{line}）。请删除，或设置它的来源。"
    ),
    "nothing that {module} runs": "{module} 运行的代码都不",
    "{runs} reads {key}{where}": "{runs}读取 {key}{where}",
    "{runs} works with {key}, {at} only looks at it": "{runs}使用 {key}，{at} 只是查看一下",
    "it is only copied to {into}, which {runs} reads": "它只被复制到 {into}，而{runs}读取后者",
    "False is left out": "False 会被略去",
    " Delete it.": "请删除。",
    "{setting} has no effect{branch}: {why}{assuming}.{sentence}": "{setting} 不起作用{branch}：{why}{assuming}。{sentence}",
    "none of them": "一个也不",
    "{setting} never reaches {backend}{branch}: the command line of its server is made without the arguments that are "
    "{text} ({path}:{line}), so {backend}'s own default for {argument} decides, which is on for most models.": (
        "{setting} 永远传不到 {backend}{branch}：拼装服务命令行时会略去值为 {text} 的参数（{path}:{line}），于是由 "
        "{backend} 自己对 {argument} 的默认值决定，而对多数模型它是开启的。"
    ),
    "{key} is {value} (by default)": "{key} 为 {value}（默认）",
    "{key} is {value} (line {line})": "{key} 为 {value}（第 {line} 行）",
    "{setting} has no effect{branch}: of the engine arguments {symbol} ({path}:{line}) takes {named} only. Delete it.": (
        "{setting} 不起作用{branch}：引擎参数中 {symbol}（{path}:{line}）只取 {named}。请删除。"
    ),
    "{setting} reaches nothing{branch}: it is for {other}, and {backend_key} is {backend}, whose server reads {wanted} "
    "only.": "{setting} 传不到任何地方{branch}：它是给 {other} 的，而 {backend_key} 为 {backend}，其服务只读取 {wanted}。",
    " Write {better}.": "请写成 {better}。",
    "Write {better} on line {line}": "在第 {line} 行写成 {better}",
    "it takes one of {listed}": "它只接受 {listed} 之一",
    "Hydra's word for no value is {text}, {text2} is a text": "在 Hydra 中表示空值的是 {text}，{text2} 只是一段文本",
    "it takes {text} or {text2}, and any other text counts as true": "它接受 {text} 或 {text2}，其他任何文本都算作真",
    "it takes {text} or {text2}": "它接受 {text} 或 {text2}",
    "it takes a number (by default {default})": "它接受数字（默认 {default}）",
    "it takes one number (by default {default})": "它只接受一个数字（默认 {default}）",
    "{setting} is not what {key} takes{branch}: {why}.{advice}": "{setting} 不是 {key} 所接受的值{branch}：{why}。{advice}",
    "Set {key}={text} on line {line} and delete line {line2}": "在第 {line} 行设置 {key}={text}，并删除第 {line2} 行",
    "Replace the override by {key}={text}": "把该 override 换成 {key}={text}",
    "as {expression}": "值取自 {expression}",
    "line {line} sets {setting}": "第 {line} 行设置了 {setting}",
    ", because {because}": "，因为 {because}",
    "{source}. That is {value}{feeds}.": "{source}。其值为 {value}{feeds}。",
    "{key} is {value} by default": "{key} 默认为 {value}",
    "Set {setting} instead.": "请改为设置 {setting}。",
    "writes {name} again after it has read the engine arguments": "在读完引擎参数之后又重新写入 {name}",
    "assigns {key} itself": "会自行给 {key} 赋值",
    "{setting} has no effect{branch}: {symbol} {verb} ({path}:{line}), {reason} {advice}": (
        "{setting} 不起作用{branch}：{symbol} {verb}（{path}:{line}），{reason}{advice}"
    ),
    "{source}. That is already {value}{feeds}.": "{source}。其值本来就是 {value}{feeds}。",
    "sets {key} to {value}": "会把 {key} 设为 {value}",
    "Remove it from the value.": "请从该值中去掉它。",
    "Delete it.": "请删除。",
    "line {line}: {message}": "第 {line} 行：{message}",
    "line {line} launches {entry}, and the source of {package} is not in the reviewed tree": (
        "第 {line} 行启动 {entry}，而 {package} 的源码不在所审查的目录中"
    ),
    "is where it is written": "是它所写的位置",
    " Set {setting} instead.": "请改为设置 {setting}。",
    " Set {bare} instead.": "请改为设置 {bare}。",
    "line {line} also passes {name} as an engine argument": "第 {line} 行还把 {name} 作为引擎参数传入",
    "Set {key}={text} on line {line} and delete the engine argument on line {line2}": (
        "在第 {line} 行设置 {key}={text}，并删除第 {line2} 行的引擎参数"
    ),
    "its value": "它的值",
    "the same value": "值相同",
    "so {lost} is never used": "因此 {lost} 永远不会被使用",
    "the same value, {value}": "值相同，都是 {value}",
    "so the engine gets {value}": "因此引擎得到的是 {value}",
    "Delete the engine argument on line {line}": "删除第 {line} 行的引擎参数",
    "{setting} is replaced by {setting2} on line {line}{branch}: the last override of a key wins, {verdict}. Delete the "
    "earlier one.": (
        "{setting} 被第 {line} 行的 {setting2} 取代{branch}：同一个 key 以最后一个 override 为准，{verdict}。请删除前一个。"
    ),
    "{setting} does not reach the engine{branch}: {where}, and {symbol} spreads the engine arguments over it "
    "({path}:{spread_line}), {outcome}. Keep one of the two.": (
        "{setting} 传不到引擎{branch}：{where}，而 {symbol} 会用引擎参数覆盖它（{path}:{spread_line}），{outcome}。"
        "请只保留其中之一。"
    ),
    "sets {key} again": "再次设置了 {key}",
    "passes {name}={value}": "传入了 {name}={value}",
    "This comment silences nothing: {names} finds nothing here. Delete it.": (
        "这条注释没有屏蔽任何东西：{names} 在这里没有可报告的内容。请删除。"
    ),
    "This comment silences nothing: write it as {form}.": "这条注释没有屏蔽任何东西：请写成 {form}。",
    "There is no check or rule {name}{hint}": "没有名为 {name} 的检查或规则{hint}",
    "Below this comment begins no command, assignment or array element, so it silences no {names}. Write it on the "
    "line above one, or behind one.": (
        "这条注释的下一行没有开始任何命令、赋值或数组元素，因此没有屏蔽任何 {names}。请写在它的上一行，或写在其后面。"
    ),
    "Delete the comment on line {line}": "删除第 {line} 行的注释",
    "; did you mean {name}?": "；是否想写 {name}？",
    " or ": " 或 ",
    " It is now {renamed}.": "它现在叫 {renamed}。",
    "Rename {key} to {key2} on line {line}": "把第 {line} 行的 {key} 改名为 {key2}",
    "Hydra refuses {setting}{branch} and the run ends there: {message}.{advice}": (
        "Hydra 拒绝 {setting}{branch}，运行到此终止：{message}。{advice}"
    ),
    " It is now {replaced}.": "它现在叫 {replaced}。",
    " {best} {what}: did you mean {with_value}?": "{best} {what}：是否想写 {with_value}？",
    "There is no module {module} in {source}{branch}, so Python ends at once.{advice}": (
        "{source} 中没有模块 {module}{branch}，Python 会立刻退出。{advice}"
    ),
    "is a config group at the top of the config": "是位于配置顶层的 config group",
    "is the key of that name": "是叫这个名字的 key",
    " Did you mean {keys}?": "是否想写 {keys}？",
    "{module} has no config {name}{branch}, and the run ends there: {message}.": (
        "{module} 没有名为 {name} 的配置{branch}，运行到此终止：{message}。"
    ),
    " (where {conditions})": "（当 {conditions} 时）",
    "{condition} is {taken}": "{condition} 为 {taken}",
    "the config has no key {key} yet, so it can only be added. Write {text} in front.": (
        "配置里还没有 {key}，只能新增。请在前面加上 {text}。"
    ),
    "the config already has {key}{its}": "配置里已有 {key}{its}",
    "{has}, and {text} only adds new keys. Drop the {text}.": "{has}，而 {text} 只用于新增 key。请去掉 {text}。",
    " (its value is {value})": "（其值为 {value}）",
    "Hydra refuses {setting}{branch} and the run ends there: {why}": "Hydra 拒绝 {setting}{branch}，运行到此终止：{why}",
    "Add the + on line {line}": "在第 {line} 行加上 +",
    "Drop the + on line {line}": "去掉第 {line} 行的 +",
    # the command line
    "{file}: the baseline holds {count}": "{file}：基线中有 {count}",
    "{file}: {count} of the baseline no longer found; shrink it with --baseline {file} --write-baseline {file}": (
        "{file}：基线中有 {count}已不再出现；可用 --write-baseline {file} 精简"
    ),
    "only the lines of the diff are known, since the file is not at hand": "只知道 diff 中的行，因为手头没有该文件",
    "only the lines of the diff are known, since line {line} of the file at hand differs from the diff": (
        "只知道 diff 中的行，因为手头文件的第 {line} 行与 diff 不一致"
    ),
    "the diff against {base}": "与 {base} 的 diff",
    "standard input": "标准输入",
    "the diff shows it as a binary file": "diff 显示它是二进制文件",
    "it is a symbolic link or a submodule": "它是符号链接或子模块",
    "only the lines of the diff are known, since the file at hand {why}": "只知道 diff 中的行，因为手头的文件 {why}",
    "the diff shows text that is not UTF-8": "diff 中有非 UTF-8 文本",
    "it {why}": "它 {why}",
    "reading {source}": "正在读取 {source}",
    "{end} is the end of {count} keys; name one: {keys}": "{end} 是 {count} 个 key 的结尾；请指明其中一个：{keys}",
    "{name} is no check, rule or config key of {source}; nearest: {near}": (
        "{name} 不是 {source} 的检查、规则或配置 key；最接近的是：{near}"
    ),
    "{keys} and {count} more": "{keys} 以及另外 {count} 个",
    "{name} is no check, rule or config key of {source}; `reviewbot rules list` lists the rules, and the checks are "
    "{checks}": "{name} 不是 {source} 的检查、规则或配置 key；`reviewbot rules list` 列出规则，检查有 {checks}",
    # GitHub
    "… and {count} more; the job summary has them all.": "……以及另外 {count} 条；job summary 中有全部内容。",
    "GitHub does not give its content": "GitHub 没有给出它的内容",
    "it is not UTF-8 text": "它不是 UTF-8 文本",
    "GitHub lists only {count} of the {changed_files} changed files": (
        "GitHub 只列出了 {changed_files} 个改动文件中的 {count} 个"
    ),
    "it is a binary file": "它是二进制文件",
    "{problem}, and {why_only_hunks}": "{problem}，并且 {why_only_hunks}",
    "GitHub shows no diff of it": "GitHub 没有显示它的 diff",
    "its diff and its content differ": "它的 diff 与内容不一致",
    "only {MAX_FETCHED} changed files were fetched; the others were read as in the base": (
        "只取了 {MAX_FETCHED} 个改动文件；其余按 base 中的内容读取"
    ),
    "Nothing found": "没有发现问题",
    "{why}\n\n<details><summary>What was said</summary>\n\n{said}\n\n</details>": (
        "{why}\n\n<details><summary>原来的内容</summary>\n\n{said}\n\n</details>"
    ),
    " {count} in the summary comment.": "总结评论中还有 {count} 条。",
    " Fix: {fix}": "修复：{fix}",
    "Fix: {fix}": "修复：{fix}",
    "The same holds at:": "以下位置同样如此：",
    "<details><summary>Where the value comes from, and how to silence this</summary>": (
        "<details><summary>该值从何而来，以及如何屏蔽此评论</summary>"
    ),
    "- Path of the value: {path}": "- 值的传递路径：{path}",
    "- To silence it, put {silence} on the line above the command or array.": (
        "- 如需屏蔽，请在该命令或数组的上一行写上 {silence}。"
    ),
    "override at {head_line}": "override 位于 {head_line}",
    "Suggested fix: {fix}": "建议的修复：{fix}",
    "- and {count} more": "- 以及另外 {count} 处",
    "{check} at {evidence}": "{check}，{evidence}",
    "Evidence: ": "依据：",
    "The file has Windows line ends, which an applied suggestion would change: hence no suggestion.": (
        "该文件使用 Windows 换行，应用 suggestion 会改变它们，因此不给出 suggestion。"
    ),
    "reason": "理由",
    "assigned at {head_line}": "赋值于 {head_line}",
    "This no longer holds.": "此问题已不存在。",
    "This has moved: it is said again where it is now, or in the summary.": (
        "位置已移动：已在新位置或总结中重新说明。"
    ),
    "This is said in another comment.": "此问题已在另一条评论中说明。",
    "only the lines of the diff are known, since {why}": "只知道 diff 中的行，因为{why}",
    "<details><summary>What changes in effect</summary>\n\n": "<details><summary>实际生效配置的变化</summary>\n\n",
    "<details><summary>Risk marks</summary>\n\n": "<details><summary>风险标记</summary>\n\n",
    "<details><summary>Earlier changes</summary>\n\n": "<details><summary>以往的改动</summary>\n\n",
    " and {count}": "，以及 {count}",
    "{name} | {value} | {value2} | environment |": "{name} | {value} | {value2} | 环境变量 |",
    " and {keys} that follow it": "，以及随之变化的 {keys}",
    " and {keys} that follows it": "，以及随之变化的 {keys}",
    "not set": "未设置",
    "{text} by default": "默认 {text}",
    "and {count} more | | | |": "以及另外 {count} 项 | | | |",
    "not known ({text})": "未知（{text}）",
    "not known": "未知",
    "Reviews of this pull request are paused. `/reviewbot resume` takes them up again.": (
        "对此 pull request 的审查已暂停。用 `/reviewbot resume` 恢复。"
    ),
    "{TITLE}: {found}\n\n{counts_in_words} in {count}.{dismissed}": (
        "{TITLE}：{found}\n\n{count}中：{counts_in_words}。{dismissed}"
    ),
    "<sub>Reviewed {head}{against}.</sub>": "<sub>已审查 {head}{against}。</sub>",
    "{TITLE}: nothing found\n\n{count} reviewed; nothing to say about this change.": (
        "{TITLE}：没有发现问题\n\n已审查 {count}；对此改动没有意见。"
    ),
    " {dismissed} of them in threads that people have settled.": "其中 {dismissed} 条所在的讨论已由人处理完毕。",
    "<details><summary>What was not reviewed</summary>\n\n": "<details><summary>未审查的内容</summary>\n\n",
    " against {source}": "，依据 {source}",
    "Not on lines of this diff:\n\n": "不在此 diff 的行上：\n\n",
    "Findings (the first of them):\n\n": "发现（前若干条）：\n\n",
    ": paused": "：已暂停",
    "Findings:": "发现：",
    "reviewbot: {dropped} more are in the job summary": "reviewbot：另外 {dropped} 条在 job summary 中",
    # explain
    "{name}: a rule, {source}": "{name}：规则，{source}",
    "Set {key} to {value} instead (rule {rule}).": "请改为把 {key} 设为 {value}（规则 {rule}）。",
    "{first} and {last}": "{first} 和 {last}",
    "a value made from {keys}": "由 {keys} 得出的值",
    " (where {condition})": "（当 {condition} 时）",
    "{name}: a config key, {source}": "{name}：配置 key，{source}",
    "{name}: a check, {source}": "{name}：检查，{source}",
    "It is the key to set instead of {old} (rule {rule}).": "应设置它，而不是 {old}（规则 {rule}）。",
    "Instead of {old}, set this key to {value} (rule {rule}).": "不要设置 {old}，请把本 key 设为 {value}（规则 {rule}）。",
    "Set {key} instead (rule {rule}).": "请改为设置 {key}（规则 {rule}）。",
    "{type}, a field of {owner}": "{type}，{owner} 的字段",
    "the server writes it after it has read the engine arguments, as {value}{when}": (
        "服务在读完引擎参数之后把它写为 {value}{when}"
    ),
    "{backend}: {argument} is {value}{when}, unless {own} is set": "{backend}：{argument} 为 {value}{when}，除非设置了 {own}",
    "it is checked together with {others}": "它与 {others} 一同检查",
    "{condition}{when}": "{condition}{when}",
    "of {key}: {text}": "{key} 的：{text}",
    "{text}; its default, {default}, passes": "{text}；其默认值 {default} 满足要求",
    "read{when}{by}": "读取{when}{by}",
    "{modules}{when}": "{modules}{when}",
    "{first} to {last}": "{first} 至 {last}",
    "a field of its config class, to be added with {plus}": "其配置类的字段，需用 {plus} 新增",
    "not there": "不存在",
    "overwritten by the server{when}": "被服务覆盖{when}",
    "wins over the server's own value{when}": "优先于服务自己的值{when}",
    "merged by the server{when}": "由服务合并{when}",
    "set by the server where it is absent{when}": "缺省时由服务设置{when}",
    "a TypeError: the server passes it as well{when}": "TypeError：服务也会传入它{when}",
    "passed on as it is": "原样传递",
    "not taken by the server": "服务不接受",
    "{span}: {state}": "{span}：{state}",
    " (where a condition over {keys} holds)": "（当关于 {keys} 的条件成立时）",
    "{name}: an argument of {backend}, {source}": "{name}：{backend} 的参数，{source}",
    "Default": "默认值",
    "Type": "类型",
    "What becomes of it": "它会怎样",
    "Server arguments": "服务参数",
    "Must hold, or the run ends at start": "必须成立，否则启动时即终止",
    "Read by": "读取者",
    "Not read by": "不读取者",
    "Keys that take its value": "取其值的 key",
    "Releases": "版本",
    "Rules": "规则",
    "{type}, a field of {owner} that is {default} there": "{type}，{owner} 的字段，其中默认为 {default}",
    "the server makes it from what is there: {value}{when}": "服务由已有内容得出它：{value}{when}",
    "{backend}: {argument} is {value}{when}, whatever {own} says": "{backend}：{argument} 为 {value}{when}，不论 {own} 怎么写",
    "looked at only{when}{by}": "只是查看{when}{by}",
    "copied only{when}{by}": "只是复制{when}{by}",
    "perhaps read{when}{by}": "可能读取{when}{by}",
    "{modules}{when}: it is only looked at, nothing works with it": "{modules}{when}：只是查看，没有代码使用它",
    "{modules}{when}: it is only copied to {into}, which nothing reads": "{modules}{when}：只复制到 {into}，而后者无人读取",
    "in the config, {value}": "在配置中，{value}",
    "in the config": "在配置中",
    "Problematic code": "有问题的写法",
    "What reviewbot says": "reviewbot 的说明",
    "Correct code": "正确的写法",
    "What reviewbot says to that": "reviewbot 对此的说明",
    "What it speaks of": "涉及内容",
    "Fix": "修复",
    "Evidence": "依据",
    "Reported": "会报告",
    "Not reported": "不会报告",
    "key: {key}": "key：{key}",
    "effect: {effect}, reported by the check {check} as {severity}": "效果：{effect}，由检查 {check} 以 {severity} 级报告",
    "versions: {versions}": "版本：{versions}",
    "{overrides}: nothing is said at this version": "{overrides}：在此版本上不作说明",
    "It is called {key} now.": "它现在叫 {key}。",
    "It was called {key}.": "它以前叫 {key}。",
    "A recipe that sets it gains nothing: the value is overwritten.": "recipe 设置它没有用：其值会被覆盖。",
    "{value} under {modules}": "在 {modules} 下为 {value}",
    "the server sets {value} where it is absent{when}": "缺省时服务设为 {value}{when}",
    "{backend}: {argument} is {value}{when} where {own} is not set": (
        "{backend}：未设置 {own} 时，{argument} 为 {value}{when}"
    ),
    "where: {condition}": "条件：{condition}",
    "entry points: {modules}": "入口：{modules}",
    "bundled releases in which it stands: {releases}": "在这些内置版本中成立：{releases}",
    "it claims nothing by itself: it says what to do about what the source shows": (
        "它自身不作断言：只说明针对源码所示情况该怎么做"
    ),
    "it stands on no source: the owners of the repository want it so": "它不以源码为依据：是仓库所有者的要求",
    "set {key} to {value}": "把 {key} 设为 {value}",
    "delete the override": "删除该 override",
    "it stands": "成立",
    "a group of {count} keys: {names}": "由 {count} 个 key 组成：{names}",
    "none: no config file has the key, so a recipe adds it with {plus}": "无：没有配置文件含有该 key，recipe 需用 {plus} 新增",
    "none: no config file has the key": "无：没有配置文件含有该 key",
    "not declared; the config files have: {types}": "未声明；配置文件中为：{types}",
    "it wins over what the server writes first, {value}{when}": "它优先于服务先写入的 {value}{when}",
    "{backend}: {value} is merged into {argument}{when}": "{backend}：{value} 会并入 {argument}{when}",
    "{backend}: {argument} is {value}{when}; {own} besides is a TypeError": (
        "{backend}：{argument} 为 {value}{when}；再设置 {own} 会引发 TypeError"
    ),
    "{path} does not have it at this version, so nothing is claimed": "此版本的 {path} 中没有它，因此不作断言",
    "whatever {backend} takes: its config class does not declare it": "{backend} 接受什么就是什么：其配置类没有声明它",
    "the server passes it as well, as {value}: both together are a TypeError{when}": (
        "服务也会传入它，值为 {value}：两者并存会引发 TypeError{when}"
    ),
    "all": "全部",
    "the server passes it on to {backend} as it is{when}": "服务原样传给 {backend}{when}",
    "the server does not take it: nothing reaches {backend}{when}": "服务不接受它：什么也传不到 {backend}{when}",
    "the framework assigns {value}{when}": "框架会赋值为 {value}{when}",
    # reports
    "Fixed {count} in {count2}{rest}.": "已在 {count2}中修复 {count}{rest}。",
    "Nothing to fix.": "没有可修复的内容。",
    ", {count} left alone": "，{count} 个保持不动",
    "{path}: not fixed: it {refused}": "{path}：未修复：它 {refused}",
    "would fix": "将修复",
    "fixed": "已修复",
    "reviewbot: {found}": "reviewbot：{found}",
    "{count} reviewed against {source}": "已依据 {source} 审查 {count}",
    "Press / to search. Evidence lines are those of the source named above.": "按 / 搜索。依据中的行号以上面所列源码为准。",
    "The keys that the script sets, on the path that it takes by default: what each launch really gets, and whether "
    "that reaches the rollout server.": (
        "脚本在默认路径上设置的 key：每次启动实际得到的值，以及它是否能传到 rollout 服务。"
    ),
    "Search": "搜索",
    "{shown} of {all} shown": "显示 {all} 条中的 {shown} 条",
    "line": "第几行：",
    "Nothing to show.": "没有内容可显示。",
    "By check": "按检查",
    "By recipe": "按 recipe",
    "Effective config": "实际生效的配置",
    "Key": "Key",
    "Value": "值",
    "Line": "行",
    "Reaches the server": "是否传到服务",
    "fix: ": "修复：",
    "To the findings": "跳到发现",
    "Light or dark": "浅色或深色",
    "with a proved fix": "有已验证的修复",
    "recipes with findings": "有发现的 recipe",
    "View": "视图",
    "Severity": "严重程度",
    "Check": "检查",
    "Recipe": "Recipe",
    "evidence: ": "依据：",
    "Not reviewed, or only in part": "未审查，或只审查了一部分",
    "- {path}: {how}: {why}": "- {path}：{how}：{why}",
    "### reviewbot: {found}\n\n{counts_in_words} in {count} reviewed{hidden}.": (
        "### reviewbot：{found}\n\n已审查 {count}：{counts_in_words}{hidden}。"
    ),
    "| Recipe | High | Medium | Low | Read |": "| Recipe | 高 | 中 | 低 | 读取 |",
    "read in part": "只读取了一部分",
    "not reviewed": "未审查",
    "### reviewbot: nothing found\n\n{count} reviewed{hidden}.": "### reviewbot：没有发现问题\n\n已审查 {count}{hidden}。",
    "Reviewed against {source}.": "依据 {source} 审查。",
    "@@ line {line} @@": "@@ 第 {line} 行 @@",
    ".": "。",
    "Not reviewed, or only in part:\n\n": "未审查，或只审查了一部分：\n\n",
    "whole": "全部",
    "in part": "一部分",
    "no": "否",
    "The root of the repository.": "仓库的根目录。",
    "{found} ({counts}) in {files}{rest}.": "{found}（{counts}）；{files}{rest}。",
    "No findings: {files}{rest}.": "没有发现问题：{files}{rest}。",
    "partly reviewed: ": "部分审查：",
    "skipped: ": "已跳过：",
    "      @@ lines {first}-{last} @@": "      @@ 第 {first}-{last} 行 @@",
    ", {count} skipped": "，跳过 {count} 个",
    "high": "高",
    "medium": "中",
    "low": "低",
    "{count} high": "{count} 条高",
    "{count} medium": "{count} 条中",
    "{count} low": "{count} 条低",
    "certain": "确定",
    "likely": "很可能",
    "; {count} suppressed": "；{count} 条被注释屏蔽",
    "; {count} in the baseline": "；{count} 条在基线中",
    ", ": "，",
    # effects and risks
    "no: refused at start": "否：启动时报错",
    "no: overwritten": "否：被覆盖",
    "no: another setting wins": "否：另一设置优先",
    "no: ignored": "否：被忽略",
    "Line {line} cannot be compared: {when}, {lower}{reason}": "第 {line} 行无法比较：{when}，{lower}{reason}",
    "launch": "启动",
    "its config is not known": "其配置未知",
    "yes: {names}": "是：{names}",
    "none seen": "未见",
    "before the change": "改动之前",
    "after it": "改动之后",
    "{module} (line {line})": "{module}（第 {line} 行）",
    "entry point": "入口",
    "ineffective setting": "无效设置",
    "refused at start": "启动时报错",
    "values not known": "值未知",
    "run by no workflow of this repository": "本仓库没有 workflow 运行它",
    "lines {numbers}": "第 {numbers} 行",
    "line {numbers}": "第 {numbers} 行",
    "{listed}; {older} of {count} from before this change": "{listed}；{count} 条中有 {older} 条在此改动之前已存在",
    # the shell
    "the rollout backend": "rollout 后端",
    "The command ends on line {line}, {what}: {count} argument from line {first} on never reaches it and runs as a "
    "command instead.": (
        "命令在第 {line} 行结束，{what}：从第 {first} 行起的 {count} 个参数永远传不到它，而是被当作命令执行。"
    ),
    "The command ends on line {line}, {what}: {count} arguments from line {first} on never reach it and run as a "
    "command instead.": (
        "命令在第 {line} 行结束，{what}：从第 {first} 行起的 {count} 个参数永远传不到它，而是被当作命令执行。"
    ),
    "at the blank line after it": "止于其后的空行",
    "at the comment": "止于注释",
    "at the blank after its backslash": "止于反斜杠后面的空白",
    "which has no backslash": "该行没有反斜杠",
    "bash reads nothing from {where} on": "从 {where} 起 bash 不再读取任何内容",
    "line {line}": "第 {line} 行",
    "{path}, line {line}": "{path} 第 {line} 行",
    "nothing is read from {where} on, where it nests too deeply": "从 {where} 起不再读取，因为嵌套过深",
    "line {skipped} is too long and was not read": "第 {skipped} 行过长，没有读取",
    "Bash refuses the script here and runs nothing from this command on: {message}.": (
        "Bash 在此拒绝该脚本，从这条命令起什么也不执行：{message}。"
    ),
    "The file has Windows line ends: bash sees a carriage return behind the backslash, so the command ends on this "
    "line.": "该文件使用 Windows 换行：bash 在反斜杠后看到回车符，因此命令在这一行结束。",
    "the file has more than {MAX_TEXT} characters: it was not read": "该文件超过 {MAX_TEXT} 个字符：没有读取",
    "it nests too deeply": "它嵌套过深",
    "A blank splits `{written}` into two arguments: {advice}, and Hydra refuses it.": (
        "一个空白把 `{written}` 拆成了两个参数：{advice}，Hydra 会拒绝它。"
    ),
    "`{left}` is no override": "`{left}` 不是 override",
    "`{left}` has lost its value": "`{left}` 丢失了它的值",
    "`{left}` is left open": "`{left}` 没有写完",
    "`{text}` is no override": "`{text}` 不是 override",
    "The value of `{source}` holds blanks and is not quoted, so it is split: `{text}` becomes an argument of its own, "
    "and Hydra refuses it.": (
        "`{source}` 的值含有空白且没有加引号，因此会被拆开：`{text}` 成为单独的参数，Hydra 会拒绝它。"
    ),
    "`{name}` is never set in the script and has no default: unless the environment sets it, {effect}.{advice}": (
        "`{name}` 在脚本中从未设置，也没有默认值：除非环境中设置了它，否则{effect}。{advice}"
    ),
    "`${{{name}}}` is a variable that nothing sets, so {effect}: write `{literal}`.": (
        "`${{{name}}}` 是一个从未设置的变量，因此{effect}：请写 `{literal}`。"
    ),
    "the script ends here (`set -u`)": "脚本到此终止（`set -u`）",
    "it is empty": "它为空",
    ", {count} without a launch": "，其中 {count} 个没有启动命令",
    "assumed": "假设",
    "{path} starts no Python program": "{path} 没有启动任何 Python 程序",
    "by default": "默认",
    "  branch {line}  {condition} is {taken} ({how})": "  分支   {line}  {condition} 为 {taken}（{how}）",
    "  refused: {message}": "  被拒绝：{message}",
    "  env    {line}  ": "  环境   {line}  ",
    "  more   {line}  ": "  其他   {line}  ",
    "{name} (line {line})": "{name}（第 {line} 行）",
    "from {names}": "来自 {names}",
    "replaced on line {line}: {value}": "在第 {line} 行被替换为 {value}",
    "Partly read: {why}.": "只读懂了一部分：{why}。",
    "Values as {knowledge} has them.": "取值依据 {knowledge}。",
    "unless the environment says otherwise": "除非环境另有设置",
    "on this branch": "在此分支上",
    "<any arguments>": "<任意参数>",
    "{name} {version} (bundled)": "{name} {version}（内置）",
    "{name} {version} (bundled; not what {place} asks for)": "{name} {version}（内置；并非 {place} 所要求的版本）",
    "{name} {version} (bundled, as {place} asks)": "{name} {version}（内置，按 {place} 的要求）",
    "no run is known that does not read it{by}": "没有已知的运行不读取它{by}",
    "under {modules}: {text}": "在 {modules} 下：{text}",
    "{when}, as it is by default": "{when}（默认即如此）",
    "Blanks split `{written}` into three arguments, and Hydra refuses each of them: write `{meant}`.": (
        "空格把 `{written}` 拆成了三个参数，Hydra 会逐个拒绝：请写 `{meant}`。"
    ),
    " Did you mean `{nearest}`?": "是否想写 `{nearest}`？",
    # answers to commands
    "{check} is one of the checks: {checks}.": "{check} 是检查之一：{checks}。",
    "- It is called {key} now.": "- 它现在叫 {key}。",
    "Nothing is known about {key} in {source}.": "{source} 中没有关于 {key} 的信息。",
    "What {source} makes of {key}:": "{source} 如何对待 {key}：",
    "- {value} by default under {modules}": "- 在 {modules} 下默认为 {value}",
    "feeds {argument} of the {backend} server": "是 {backend} 服务的 {argument} 的来源",
    "is overwritten with {value}": "会被覆盖为 {value}",
    "is merged into {value}": "会并入 {value}",
    "- {told}{when} ({evidence})": "- {told}{when}（{evidence}）",
    " where {condition}": "（当 {condition} 时）",
    "Commands, alone on a line of a comment, by people who may write to this repository:": (
        "命令（须在评论中单独成行，由对本仓库有写权限的人发出）："
    ),
    "review this pull request now": "立即审查此 pull request",
    "what is known about it": "说明关于它的已知信息",
    "no more reviews of this pull request; {resume} takes them up again": (
        "不再审查此 pull request；用 {resume} 恢复"
    ),
    "this list": "本列表",
    # checks
    "The script does not pass to the command what it seems to pass.": "脚本传给命令的内容与看上去的不一致。",
    "Hydra refuses the override, config name or entry point because the config has no such thing.": (
        "Hydra 拒绝该 override、配置名或入口，因为配置中没有它。"
    ),
    "`+` on a key that exists, or none where one is needed.": "对已存在的 key 用了 `+`，或该用时没有用。",
    "A value of the wrong type, or none of the choices.": "值的类型不对，或不在可选值之中。",
    "Refused at start, after Hydra has accepted it: an assert or raise of the framework.": (
        "Hydra 接受之后，启动时仍被框架的 assert 或 raise 拒绝。"
    ),
    "The value is replaced after it is read.": "值在读取之后又被替换。",
    "Another setting wins over this one.": "另一个设置优先于它。",
    "An old name that still works, or an added key that the framework read in earlier releases.": (
        "仍可用的旧名称，或框架在早期版本中读取过的新增 key。"
    ),
    "Nothing reads it under this backend or entry point.": "在此后端或入口下没有代码读取它。",
    "An exported variable that nothing reads any more, or that is overwritten at start.": (
        "导出的环境变量已无人读取，或在启动时被覆盖。"
    ),
    "A comment that is to silence findings silences none.": "用来屏蔽发现的注释没有屏蔽任何东西。",
    # counted things
    "{count} changed recipe": "{count} 个改动的 recipe",
    "{count} changed recipes": "{count} 个改动的 recipe",
    "{count} file": "{count} 个文件",
    "{count} files": "{count} 个文件",
    "{count} finding": "{count} 条发现",
    "{count} findings": "{count} 条发现",
    "{count} key": "{count} 个 key",
    "{count} keys": "{count} 个 key",
    "{count} more are": "另外 {count} 条",
    "{count} more is": "另外 {count} 条",
    "{count} more recipe": "另外 {count} 个 recipe",
    "{count} more recipes": "另外 {count} 个 recipe",
    "{count} recipe": "{count} 个 recipe",
    "{count} recipes": "{count} 个 recipe",
    "{count} setting": "{count} 个设置",
    "{count} settings": "{count} 个设置",
    "{count} setting that needs a look": "{count} 个需要留意的设置",
    "{count} settings that need a look": "{count} 个需要留意的设置",
    "{place} asks for {framework} {text}, which no bundled release is: the facts of {used} are used; for any "
    "other version give the source with --source": (
        "{place} 要求 {framework} {text}，内置的版本中没有它：使用 {used} 的事实；其他版本请用 --source 给出源码"
    ),
}
