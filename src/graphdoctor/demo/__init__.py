"""The bundled samples: three small trainers that suffer from what graphdoctor treats."""
