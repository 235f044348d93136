/** Emoji, faces and shortcodes: `value cue: signs`, on AFINN's scale; the cue may be absent. */
export const EMOJI = `-3 frustrated: 😡 🤬 😠 👿 😾 💢 🖕 :rage: :angry: :angry_face:
-2 frustrated: 😤 😒 🙄 😑 🤦 :facepalm: :unamused: :roll_eyes: :triumph: :expressionless:
-2: 😞 😔 😢 😭 😿 ☹ 🙁 😟 😣 😖 😫 😩 😥 😰 💔 👎 💩 😓 😪 :( :sob: :cry: :disappointed: :-1: :thumbsdown: :worried: :frowning: :broken_heart: -1
-1: 🥲 🫠 🥱 😧 😦 🙅 🤡 😕 😬 😱 😨 🥺 😴 🤢 🤮 :/ :confused: :grimacing: :scream: :fearful:
0 confused: 🤔 🤨 ❓ ❔ ⁉ 😵 🤯 🧐 :thinking: :thinking_face: :question: :face_with_raised_eyebrow:
0 puzzled: 🤷 😶 😐 :shrug: :neutral_face: :o
2 pleased: 😀 😃 😄 😁 😊 🙂 ☺ 😍 🥰 😘 😎 🤩 🥳 🎉 🎊 👏 🙌 💯 ❤ 💕 💖 💗 💓 💝 💘 💞 🤍 🤎 🩷 🩵 🫶 💋 😚 😙 😗 😽 💙 💚 💛 💜 🧡 🚀 ✨ 💪 🔥 😻 😇 🤗 🏆 🍻 :tada: :heart: :smile: :smiley: :grinning: :blush: :heart_eyes: :clap: :rocket: :raised_hands: :100: :sparkles: :sparkling_heart: :muscle: :fire: :star: :trophy: <3
2: 👍 👌 🤙 😉 😋 🆒 ✌ 🌟 ⭐ :) :+1: :thumbsup: :ok_hand: :wink: +1
2 thanks: 🙏 🙇 :pray: :bow:
1: 😛 😜 😝 🤪 😂 🤣 😆 😅 😹 😏 ✅ ✔ :joy: :laughing: :sweat_smile: :rofl: :white_check_mark: :grin:
-1 sarcasm: 🙃 :upside_down_face: :upside_down:`;

/** Words of a task about signs, each between blanks: with one of them near, an emoji is a thing to draw and no feeling. */
export const PICTURES =
  /[ '](?:[eé]mojis?|emoticon[es]?s?|smileys?|icons?|favicon|symbole?n?s?|glyphs?|badges?|stickers?|reactions?|[ií]conos?|icônes?|[ií]cones?|icon[ae]|icoon|icoontje|pictogram|s[ií]mbolos?|simboli|réactions?|reacción|reação|reazione) |图标|表情|符号|贴纸|絵文字|アイコン|スタンプ|記号/;
