/** Emoji, faces and shortcodes: `value cue: signs`, on AFINN's scale; the cue may be absent. */
export const EMOJI = `-3 frustrated: 😡 🤬 😠 👿 😾 💢 🖕 :rage: :angry: :angry_face:
-2 frustrated: 😤 😒 🙄 😑 🤦 :facepalm: :unamused: :roll_eyes: :triumph: :expressionless:
-2: 😞 😔 😢 😭 😿 ☹ 🙁 😟 😣 😖 😫 😩 😥 😰 💔 👎 💩 😓 😪 :( :sob: :cry: :disappointed: :-1: :thumbsdown: :worried: :frowning: :broken_heart: -1
-1: 😕 😬 😱 😨 🥺 😴 🤢 🤮 :/ :confused: :grimacing: :scream: :fearful:
0 confused: 🤔 🤨 ❓ ❔ ⁉ 😵 🤯 🧐 :thinking: :thinking_face: :question: :face_with_raised_eyebrow:
0 puzzled: 🤷 😶 😐 :shrug: :neutral_face: :o
2 pleased: 😀 😃 😄 😁 😊 🙂 ☺ 😍 🥰 😘 😎 🤩 🥳 🎉 🎊 👏 🙌 💯 ❤ 💕 💖 💗 💙 💚 💛 💜 🧡 🚀 ✨ 💪 🔥 😻 😇 🤗 🏆 🍻 :tada: :heart: :smile: :smiley: :grinning: :blush: :heart_eyes: :clap: :rocket: :raised_hands: :100: :sparkles: :sparkling_heart: :muscle: :fire: :star: :trophy: <3
2: 👍 👌 🤙 😉 😋 🆒 ✌ 🌟 ⭐ :) :+1: :thumbsup: :ok_hand: :wink: +1
2 thanks: 🙏 🙇 :pray: :bow:
1: 😂 🤣 😆 😅 😹 😏 ✅ ✔ :joy: :laughing: :sweat_smile: :rofl: :white_check_mark: :grin:
-1 sarcasm: 🙃 :upside_down_face: :upside_down:`;
